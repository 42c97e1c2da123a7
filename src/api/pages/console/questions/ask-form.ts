import { randomUUID } from 'node:crypto';
import { type PublicReference, RULE_OPERATORS } from '../../../../contract/index.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { renderLongText, renderSelect, renderText } from '../fields.ts';
import { renderHint } from '../hints.ts';
import { readSource, seriesAddress, sourceParams } from '../source-address.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Workspace } from './read-list.ts';
import { CONDITIONS, QUESTIONS_PATH } from './words.ts';

export const ASK_PATH = `${QUESTIONS_PATH}/new`;

/** The form as it was entered. */
export interface AskForm {
  /** Fields of the form, or parameters of the address. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: FieldErrors;
  readonly workspaces: readonly Workspace[];
}

/** The fields of the API, with the names and labels that they have in the form. */
export const ASK_LABELS = {
  question: 'Question',
  possible_future_headline: ['headline', 'Headline'],
  probability: 'Probability',
  category: 'Category',
  'entity.type': ['entity_type', 'Kind'],
  'entity.name': ['entity_name', 'About'],
  'entity.ticker': ['ticker', 'Ticker'],
  input_cutoff_at: 'Known by',
  resolution_deadline: ['deadline', 'Deadline'],
  slug: ['question', 'Question'],
  workspace_id: ['audience', 'Visible to'],
  visibility: ['audience', 'Visible to'],
  'resolution_rule.threshold': ['threshold', 'Value'],
  'resolution_rule.op': ['op', 'Condition'],
  'resolution_rule.observed_at': ['observed_at', 'Decided by the value of'],
  'resolution_rule.settle_days': ['settle_days', 'Days to settle'],
  'resolution_rule.source': ['series', 'Series'],
} as const;

/** Returns the workspace and the visibility of a choice of readers. */
export function readAudience(audience: string): { readonly visibility: string; readonly workspace_id?: string } {
  const [, workspace] = /^workspace:(.+)$/s.exec(audience) ?? [];
  return workspace === undefined ? { visibility: audience } : { visibility: 'workspace', workspace_id: workspace };
}

/** Returns the readers that a visitor can choose: only workspaces in which it may ask. */
function audienceOptions(workspaces: readonly Workspace[]) {
  const allowed = workspaces.filter(
    ({ capabilities, resource_scope: scope }) =>
      capabilities.includes('forecast.create') && scope.forecasts.mode === 'all',
  );
  return [
    { value: 'private', label: 'Only me' },
    ...allowed.map((workspace) => ({
      value: `workspace:${workspace.id}`,
      label: `The members of ${labelWorkspace(workspace)}`,
    })),
    { value: 'public', label: 'Everyone: it is listed for all accounts and has a public page' },
  ];
}

/** What a question can be about. */
export const KINDS = [
  ['company', 'A company'],
  ['instrument', 'An instrument or price'],
  ['series', 'A series'],
  ['country', 'A country'],
  ['person', 'A person'],
  ['event', 'An event'],
  ['other', 'Something else'],
].map(([value = '', label = '']) => ({ value, label }));

/** Renders the form in which a question is asked. */
export async function renderAskForm(visit: ConsoleVisit, { values, errors, workspaces }: AskForm): Promise<Html> {
  const value = (name: string, initial = '') => readField(values, name) ?? initial;
  const source = readSource(values) as PublicReference | null;
  const isMarket = source?.type === 'market';
  const ticker = isMarket ? source.symbol : '';
  return html`<p class="soft">It is answered by yes or no, on a day that you name. Once asked, only its probability can change.</p>
${renderHint(visit, 'question-new', 'Write it so that any two people would agree on the answer: what, where, by when, and according to which source.')}
<form method="post" action="${ASK_PATH}" class="stack">
${hidden('key', readField(values, 'key') ?? randomUUID())}
${renderLongText({ name: 'question', label: 'Question', rows: 2, maxlength: 500, value: value('question'), term: 'question', hint: 'For example: Will Acme report earnings above the consensus for the third quarter?' }, errors)}
${renderText({ name: 'headline', label: 'Headline', value: value('headline'), maxlength: 300, hint: 'What a newspaper would write if the answer is yes: Acme beats the consensus.' }, errors)}
<div class="fields">
${renderText({ name: 'probability', label: 'Probability of yes, in percent', type: 'number', value: value('probability'), placeholder: '65', maxlength: 20 }, errors)}
${renderText({ name: 'deadline', label: 'Deadline', type: 'date', value: value('deadline'), min: visit.now.toISOString().slice(0, 10), term: 'deadline' }, errors)}
${renderSelect({ name: 'audience', label: 'Visible to', value: value('audience', 'private'), options: audienceOptions(workspaces) }, errors)}
</div>
<fieldset class="stack"><legend>What it is about</legend>
<div class="fields">
${renderText({ name: 'entity_name', label: 'About', value: value('entity_name', ticker), maxlength: 200, placeholder: 'Acme' }, errors)}
${renderSelect({ name: 'entity_type', label: 'Kind', value: value('entity_type', source === null ? 'company' : isMarket ? 'instrument' : 'series'), options: KINDS }, errors)}
${renderText({ name: 'ticker', label: 'Ticker, if it has one', value: value('ticker', ticker), maxlength: 32 }, errors)}
${renderText({ name: 'category', label: 'Category', value: value('category', source === null ? '' : isMarket ? 'markets' : 'economy'), maxlength: 40, placeholder: 'earnings', hint: 'One word, by which lists and scores are grouped.' }, errors)}
</div></fieldset>
${source === null ? renderNoRule() : renderRule(source, values, errors)}
<p class="hint">The probability counts as given now, with what is known now. Every question has a proof with its text, its probability and its time.</p>
<p class="actions"><button data-once="Asking…">Ask the question</button><a class="button quiet" href="${QUESTIONS_PATH}">Cancel</a></p>
</form>`;
}

function renderNoRule(): Html {
  return html`<div class="note info"><p><strong>How it is decided</strong></p>
<p>You resolve it yourself when the answer is known. If a series decides it, <a href="/search">search the series</a> and choose “Ask a question” there: the service then resolves it automatically.</p></div>`;
}

/** Renders the rule by which a series decides the question. The series itself is in hidden fields. */
function renderRule(source: PublicReference, values: AskForm['values'], errors: FieldErrors): Html {
  const value = (name: string, initial = '') => readField(values, name) ?? initial;
  const options = RULE_OPERATORS.map((op) => ({ value: op, label: `is ${CONDITIONS[op]}` }));
  return html`<fieldset class="stack" id="series"><legend>The rule that decides it</legend>
${[...sourceParams(source)].map(([name, text]) => hidden(name, text))}
<p>The answer is yes if the value of <a href="${seriesAddress(source)}">${describeSource(source)}</a></p>
${errors.series !== undefined && html`<p class="error" id="series-error">${errors.series}</p>`}
<div class="fields">
${renderSelect({ name: 'op', label: 'Condition', value: value('op', 'gt'), options }, errors)}
${renderText({ name: 'threshold', label: 'Value', type: 'number', value: value('threshold'), term: 'threshold', maxlength: 40 }, errors)}
${renderText({ name: 'observed_at', label: 'Decided by the value of', type: 'date', value: value('observed_at'), hint: 'Any day of the period. The period must end before the deadline.' }, errors)}
${renderText({ name: 'settle_days', label: 'Days to settle', type: 'number', value: value('settle_days', '0'), maxlength: 3, hint: 'How long after the period its value is corrected. Prices: 0.' }, errors)}
</div>
<p class="hint"><a class="tap" href="${ASK_PATH}">Ask without a rule instead</a></p></fieldset>`;
}
