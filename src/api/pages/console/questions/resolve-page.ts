import { Fault } from '../../../../contract/index.ts';
import { formatProbability } from '../../format.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCheck, renderError, renderLongText, renderText } from '../fields.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { renderBack, renderQuestionForm, showNotAllowed } from './action-forms.ts';
import { entered, optional, toInstant } from './entered.ts';
import { nameOf, type Question, readActions } from './question-view.ts';
import { questionPath } from './words.ts';

const LABELS = {
  outcome: 'Outcome',
  actual_outcome: 'What happened',
  resolution_source: 'Source',
  outcome_known_at: 'Known since',
  'evidence.text': ['evidence', 'Evidence'],
  evidence: 'Evidence',
} as const;

/** States the outcome of a question, once and for all. */
export const resolvePage: ConsoleRoute = {
  path: '/questions/:slug/resolve',

  get: (visit) => showResolving(visit),

  async post(visit) {
    const { form } = visit;
    const outcome = entered(form, 'outcome');
    if (outcome !== 'yes' && outcome !== 'no') return showResolving(visit, { outcome: 'Outcome: choose yes or no.' });
    const text = optional(form, 'evidence');
    const done = await send(visit, {
      outcome,
      actual_outcome: entered(form, 'actual_outcome'),
      resolution_source: entered(form, 'resolution_source'),
      outcome_known_at: toInstant(entered(form, 'outcome_known_at')),
      ...(text !== undefined && { evidence: { text } }),
    });
    return done instanceof Fault ? refuse(visit, done, showResolving) : done;
  },
};

/** Ends a question without an outcome and without a score. */
export const annulPage: ConsoleRoute = {
  path: '/questions/:slug/annul',

  get: (visit) => showAnnulling(visit),

  async post(visit) {
    const { form } = visit;
    const done = await send(visit, {
      outcome: 'annulled',
      actual_outcome: entered(form, 'actual_outcome'),
      resolution_source: entered(form, 'resolution_source'),
    });
    return done instanceof Fault ? refuse(visit, done, showAnnulling) : done;
  },
};

/** Sends a resolution. Of several, the first stands, so a form that is sent twice resolves once. */
async function send(
  visit: ConsoleVisit,
  body: { readonly outcome: string; readonly [field: string]: unknown },
): Promise<SeeOther | Fault> {
  const resolved = await attempt(() => visit.visitor.call('resolveEvent', { params: nameOf(visit), body }));
  if (resolved instanceof Fault) return resolved;
  const address = questionPath(resolved);
  setNotice(visit, body.outcome === 'annulled' ? 'question_annulled' : 'question_resolved', address);
  return new SeeOther(address);
}

type Show = (visit: ConsoleVisit, errors?: FieldErrors, refusal?: Refusal) => Promise<ConsolePage>;

function refuse(visit: ConsoleVisit, fault: Fault, show: Show): Promise<ConsolePage> {
  const errors = toFieldErrors(fault, LABELS);
  return errors === null ? show(visit, {}, toRefusal(fault)) : show(visit, errors);
}

async function showResolving(visit: ConsoleVisit, errors: FieldErrors = {}, refusal?: Refusal): Promise<ConsolePage> {
  const view = await readActions(visit);
  const { question, allowed } = view;
  if (!allowed.actions.includes('resolve')) return showNotAllowed(visit, view, 'resolve', refusal);
  const value = (name: string) => readField(visit.form, name) ?? '';
  const choice = (outcome: 'yes' | 'no', label: string, hint: string) =>
    renderCheck({ name: 'outcome', value: outcome, type: 'radio', label, hint, checked: value('outcome') === outcome });
  return renderQuestionForm({
    title: 'Resolve this question',
    question,
    errors,
    refusal,
    body: html`${renderConsequences(question)}
<form method="post" action="${questionPath(question, 'resolve')}" class="stack">
<fieldset id="outcome"${errors.outcome !== undefined && html` aria-describedby="outcome-error"`}><legend>Outcome</legend><div class="choices">
${choice('yes', 'Yes', `The ${formatProbability(question.probability)} that it has now would score ${scoreOf(question.probability)}.`)}
${choice('no', 'No', `The ${formatProbability(question.probability)} that it has now would score ${scoreOf(1 - question.probability)}.`)}
</div>${renderError('outcome', errors)}</fieldset>
${renderWhy(errors, value, 'For example: 1.31 a share against a consensus of 1.22.')}
${renderLongText({ name: 'evidence', label: 'Evidence, if there is more', value: value('evidence'), maxlength: 5_000 }, errors)}
${renderText({ name: 'outcome_known_at', label: 'Known since', type: 'datetime-local', value: value('outcome_known_at'), hint: 'In UTC. A revision from then on is not scored. If you leave it empty, the deadline counts, or now if that is earlier.' }, errors)}
<p class="actions"><button data-once="Resolving…">Resolve it for good</button>${renderBack(question, 'Leave it open')}</p>
</form>
<p class="hint">Cannot be decided, or was decided before it was asked? <a href="${questionPath(question, 'annul')}">Annul it</a> instead.</p>`,
  });
}

function renderConsequences({ resolution_rule: rule }: Question): Html {
  return html`<ul class="ticks">
<li>A resolution is final. Neither you nor anyone else can change it.</li>
<li>The last revision before the outcome was known is scored, and no more are accepted.</li>
${rule !== null && html`<li>It has a rule that would resolve it from the data. If you resolve it first, the rule is not used.</li>`}
</ul>`;
}

/** Returns the log score of a probability for what happened, as people read it. */
function scoreOf(probability: number): string {
  return (-Math.log(Math.min(1 - 1e-6, Math.max(1e-6, probability)))).toFixed(2);
}

function renderWhy(errors: FieldErrors, value: (name: string) => string, hint: string): Html {
  return html`${renderLongText({ name: 'actual_outcome', label: 'What happened', value: value('actual_outcome'), maxlength: 1_000, hint }, errors)}
${renderText({ name: 'resolution_source', label: 'Source', value: value('resolution_source'), maxlength: 500, hint: 'Where anyone can check it, such as a report or an address.' }, errors)}`;
}

async function showAnnulling(visit: ConsoleVisit, errors: FieldErrors = {}, refusal?: Refusal): Promise<ConsolePage> {
  const view = await readActions(visit);
  const { question, allowed } = view;
  if (!allowed.actions.includes('resolve')) return showNotAllowed(visit, view, 'resolve', refusal);
  const value = (name: string) => readField(visit.form, name) ?? '';
  return renderQuestionForm({
    title: 'Annul this question?',
    question,
    errors,
    refusal,
    body: html`<ul class="ticks">
<li>It ends without an outcome and without a score. This is final.</li>
<li>Its text, its revisions and their proofs stay, and the scoreboard counts it as annulled, so that a bad question cannot be hidden.</li>
<li>Annul it if it cannot be decided, or if its outcome was known before it was asked.</li>
</ul>
<form method="post" action="${questionPath(question, 'annul')}" class="stack">
${renderWhy(errors, value, 'Why it has no outcome.')}
<p class="actions"><button class="danger" data-once="Annulling…">Annul the question</button>${renderBack(question, 'Leave it open')}</p>
</form>`,
  });
}
