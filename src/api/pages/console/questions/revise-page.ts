import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { formatProbability } from '../../format.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import { runInTurn } from '../actions/run-in-turn.ts';
import type { ConsolePage } from '../document.ts';
import { renderLongText, renderText } from '../fields.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { renderBack, renderQuestionForm, showNotAllowed } from './action-forms.ts';
import { entered, formatPercent, optional, readPercent, toInstant } from './entered.ts';
import { nameOf, type Question, readActions } from './question-view.ts';
import { questionPath, renderTime } from './words.ts';

const LABELS = {
  probability: 'Probability',
  possible_future_headline: ['headline', 'Headline'],
  input_cutoff_at: ['known_by', 'Known by'],
  note: 'Note',
} as const;

/** Gives a question a new probability. */
export const revisePage: ConsoleRoute = {
  path: '/questions/:slug/revise',

  get: (visit) => showForm(visit),

  async post(visit) {
    const probability = readPercent(entered(visit.form, 'probability'));
    if (probability === null)
      return showForm(visit, { probability: 'Probability: enter a number from 0 to 100, such as 65.' });
    const knownBy = toInstant(entered(visit.form, 'known_by'));
    // Also if the form is sent again, and no operation looks at the field.
    if (knownBy !== undefined && Number.isNaN(Date.parse(knownBy)))
      return showForm(visit, { known_by: 'Known by must be a date and time, such as 2024-01-31T09:30.' });
    const body = {
      probability,
      possible_future_headline: optional(visit.form, 'headline'),
      input_cutoff_at: knownBy ?? visit.now.toISOString(),
      note: optional(visit.form, 'note'),
    };
    const done = await attempt(() => revise(visit, body, knownBy));
    if (done === 'changed') return showForm(visit, {}, CHANGED);
    if (!(done instanceof Fault)) {
      setNotice(visit, 'question_revised', questionPath(done));
      return new SeeOther(questionPath(done));
    }
    const errors = toFieldErrors(done, LABELS);
    return errors === null ? showForm(visit, {}, toRefusal(done)) : showForm(visit, errors);
  },
};

const CHANGED: Refusal = {
  status: 412,
  message:
    'The question was revised or resolved while this form was open. Nothing was done. This is how it is now; decide again.',
};

interface NewRevision {
  readonly probability: number;
  readonly possible_future_headline: string | undefined;
  readonly note: string | undefined;
}

type Revision = Output<Operations['listEventRevisions']>['revisions'][number];

/** How far ahead of the service the clock of a visitor may be. A later time was stored as that of the revision. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Returns whether a revision is the one that a form asks for. Fields that were left empty have no say. */
function isSame(made: Revision, asked: NewRevision, knownBy: string | undefined): boolean {
  const { possible_future_headline: headline, note, probability } = asked;
  const ahead = knownBy === undefined ? 0 : Date.parse(knownBy) - Date.parse(made.input_cutoff_at);
  const wasClamped = made.input_cutoff_at === made.created_at && ahead > 0 && ahead <= MAX_CLOCK_SKEW_MS;
  return (
    made.probability === probability &&
    (made.note ?? undefined) === note?.trim() &&
    (headline === undefined || headline === made.possible_future_headline) &&
    (ahead === 0 || wasClamped)
  );
}

/**
 * Adds a revision, if the latest one is that which the form showed. A form that is sent twice adds one: the second time,
 * the latest revision is the one that it asks for.
 */
async function revise(visit: ConsoleVisit, body: NewRevision, knownBy?: string): Promise<Question | 'changed'> {
  const { visitor } = visit;
  const params = nameOf(visit);
  const seen = Number(readField(visit.form, 'revision'));
  const question = await visitor.call('readEvent', { params });
  return runInTurn(`revise ${question.forecast_id}`, async () => {
    const current = await visitor.call('readEvent', { params });
    if (current.revision === seen) return visitor.call('reviseEvent', { params, body });
    const query = { limit: 1 };
    const { revisions } = await visitor.call('listEventRevisions', { params, query });
    const [latest] = revisions;
    const isTwin = latest?.revision === seen + 1 && isSame(latest, body, knownBy);
    return isTwin ? current : 'changed';
  });
}

async function showForm(visit: ConsoleVisit, errors: FieldErrors = {}, refusal?: Refusal): Promise<ConsolePage> {
  const view = await readActions(visit);
  const { question, allowed } = view;
  if (!allowed.actions.includes('revise')) return showNotAllowed(visit, view, 'revise', refusal);
  const value = (name: string, initial = '') => readField(visit.form, name) ?? initial;
  return renderQuestionForm({
    title: 'Revise the probability',
    question,
    errors,
    refusal,
    body: html`<p>It is ${formatProbability(question.probability)} now, as given at ${renderTime(question.revised_at)}. That stays in the history; the last revision before the outcome is known is scored.</p>
<form method="post" action="${questionPath(question, 'revise')}" class="stack">
${hidden('revision', String(question.revision))}
${renderText({ name: 'probability', label: 'Probability of yes, in percent', type: 'number', value: value('probability', formatPercent(question.probability)), maxlength: 20 }, errors)}
${renderLongText({ name: 'note', label: 'Note', value: value('note'), maxlength: 1_000, hint: 'Why it changed. Every reader of the question sees it.' }, errors)}
<details${(value('headline') !== '' || value('known_by') !== '' || errors.headline !== undefined || errors.known_by !== undefined) && html` open`}><summary>More</summary>
<div class="stack">
${renderText({ name: 'headline', label: 'Headline', value: value('headline'), placeholder: question.possible_future_headline, maxlength: 300, hint: 'Unchanged if you leave it empty.' }, errors)}
${renderText({ name: 'known_by', label: 'Known by', type: 'datetime-local', value: value('known_by'), hint: 'The probability uses only what was known by this time, in UTC. Now if you leave it empty.' }, errors)}
</div></details>
<p class="hint">Revisions are accepted until ${renderTime(allowed.revisable_until)}.</p>
<p class="actions"><button data-once="Revising…">Revise</button>${renderBack(question, 'Keep it')}</p>
</form>`,
  });
}
