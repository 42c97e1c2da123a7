import type { PublicReference, SourceReference } from '../../../../contract/index.ts';
import { renderFacts } from '../../facts.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { formatDay, formatExact } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { seriesAddress } from '../source-address.ts';
import { renderNote } from '../states.ts';
import { renderMeaning, renderTerm } from '../terms.ts';
import { formatProvider } from '../words.ts';
import type { Question, QuestionView, Resolution } from './question-view.ts';
import { describeRule, describeScore, RESOLVERS, renderTime } from './words.ts';

/** Renders the outcome of a question with its evidence and its score, in words. */
export function renderResolution({ question, fileName }: QuestionView, resolution: Resolution): Html {
  const { evidence, outcome_known_at: knownAt } = resolution;
  const { score } = question;
  return html`<section class="card stack" aria-labelledby="resolution">
<h2 id="resolution">Resolution${renderMeaning('resolution')}</h2>
<p class="lead">${describeOutcome(question)} <span class="soft">Resolved at ${renderTime(resolution.resolved_at)} by ${RESOLVERS[resolution.resolved_by]}.</span></p>
${renderFacts('facts', [
  ['What happened', html`<span class="prose">${resolution.actual_outcome}</span>`],
  ['Source', html`<span class="prose">${resolution.resolution_source}</span>`],
  ['Rule', resolution.resolution_rule && `Yes if ${describeRule(resolution.resolution_rule, fileName)}`],
  ['Observed', evidence?.observation ? renderObservation(evidence) : null],
  ['Evidence', evidence?.text ? html`<span class="prose">${evidence.text}</span>` : null],
  ['Known from', knownAt === null ? null : renderTime(knownAt)],
])}
<h3>${renderTerm('log score', 'Score')}</h3>
<p>${score === null ? resolution.score_note : describeScore(score, question.status)}</p>
</section>`;
}

function describeOutcome({ status }: Question): string {
  if (status === 'annulled') return 'The question was annulled: it has no outcome.';
  return status === 'resolved_yes' ? 'The answer is yes.' : 'The answer is no.';
}

/** Renders the row that decided a question, with a link to the rows that were frozen with it. */
function renderObservation(evidence: NonNullable<Resolution['evidence']>): Html {
  const { observation, source, provider, snapshot_id: snapshot } = evidence;
  const by = provider === null ? '' : `, from ${formatProvider(provider)}`;
  const rows =
    source !== null && source.type !== 'workspace_csv' && snapshot !== null
      ? html` <a class="tap" href="${seriesAddress(source as PublicReference, { snapshot })}">See the rows as they were read</a>`
      : null;
  return html`<span class="number">${formatExact(observation?.value ?? 0)}</span> for ${formatDay(new Date(observation?.timestamp ?? 0))}${by}.${rows}`;
}

const CHECKS = {
  waiting: ['info', 'It is too early'],
  missing: ['warning', 'The row is not there yet'],
  provider_failed: ['warning', 'The provider did not respond'],
  denied: ['bad', 'The account that asked can no longer read the series'],
} as const;

const WAITING = 'The service reads the row when its period is over and its value is final.';
const STAYS_OPEN = 'The question stays open and is checked again. A person can also resolve it.';

const BY_FILE =
  'A file does not change after its upload. If it has the row already, the service reads it when the period is over. If not, a person states the outcome.';
/** The paragraph above has the rest. */
const FILE_WAITING = 'The file is read when the period is over and the value is final.';
const FILE_MISSING = 'The file does not have the row or no longer exists, so a person has to state the outcome.';

/** Renders how and when an open question is decided. */
export function renderDeciding({ question, allowed, fileName }: QuestionView): Html {
  const { resolution_rule: rule, check } = question;
  const isFile = rule?.source.type === 'workspace_csv';
  return html`<section class="card stack" aria-labelledby="deciding">
<h2 id="deciding">How it is decided${renderMeaning('resolution rule')}</h2>
${
  rule === null
    ? html`<p>By hand: it has no rule. The account that asked, the owner of its workspace or an administrator states the outcome and its source.</p>`
    : html`<p>${isFile ? 'It' : 'By its rule, from the data: it'} resolves to <strong>yes</strong> if ${describeRule(rule, fileName)}; otherwise to <strong>no</strong>.</p>
${isFile && html`<p>${BY_FILE}</p>`}
${renderSeries(rule.source as SourceReference)}`
}
${check !== null && renderCheck(check, isFile)}
<p class="soft">It can be revised until ${renderTime(allowed.revisable_until)}. The last revision before the outcome is known is scored.</p>
</section>`;
}

function renderSeries(source: SourceReference): Html | null {
  if (source.type === 'workspace_csv') return null;
  return html`<p><a class="tap" href="${seriesAddress(source)}">Open ${describeSource(source)}</a></p>`;
}

/** @param isFile whether the row is in a file, which does not change after its upload */
function renderCheck({ state, checked_at, next_check_at }: NonNullable<Question['check']>, isFile: boolean): Html {
  const [tone, title] = CHECKS[state];
  const next = next_check_at === null ? '' : html` The next check is at ${renderTime(next_check_at)}.`;
  const last = checked_at === null ? '' : html` The last check was at ${renderTime(checked_at)}.`;
  return renderNote(
    tone,
    html`${isFile ? describeFileCheck(state) : state === 'waiting' ? WAITING : STAYS_OPEN}${last}${next}`,
    isFile && state === 'missing' ? 'The row is not there' : title,
  );
}

function describeFileCheck(state: keyof typeof CHECKS): string {
  if (state === 'waiting') return FILE_WAITING;
  return state === 'missing' ? FILE_MISSING : STAYS_OPEN;
}
