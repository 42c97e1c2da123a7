import { renderFacts } from '../../facts.ts';
import { formatExact, formatProbability } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderTerm } from '../terms.ts';
import type { HistoryEntry, QuestionView } from './question-view.ts';
import { CONDITIONS, questionPath, renderTime } from './words.ts';

/** Renders what a question is about, where its first probability comes from, and how to share it. */
export function renderAbout(view: QuestionView, siteUrl: string): Html {
  const { question } = view;
  const { entity } = question;
  return html`<section class="card stack" aria-labelledby="about">
<h2 id="about">About the question</h2>
${renderFacts('facts', [
  ['About', `${entity.name}${entity.ticker === '' ? '' : ` (${entity.ticker})`}`],
  ['Category', question.category],
  ['If it happens', question.possible_future_headline],
  ['Asked at', renderTime(question.created_at)],
  ['Uses what was known by', renderTime(question.input_cutoff_at)],
  [renderTerm('deadline', 'Deadline'), renderTime(question.resolution_deadline)],
  ['First probability by', question.model],
])}
${renderOrigin(view)}
${
  question.visibility === 'public' &&
  html`<div><p class="label">Address</p><pre data-copy="the address">${siteUrl}${questionPath(question)}</pre></div>`
}
</section>`;
}

/** Renders how the first probability was computed from a forecast. */
function renderOrigin({ question, source }: QuestionView): Html | null {
  const from = question.source_forecast;
  if (from === null) return null;
  const name =
    source === null
      ? html`a forecast that is deleted or not shared with you`
      : html`the forecast <a href="/forecasts/${source.slug}">${source.name}</a>`;
  const past =
    from.past_share === null
      ? ''
      : ` It is the mean of ${formatProbability(from.ensemble_probability)} from the fan and ${formatProbability(from.past_share)}, the share of past moves of the price that were large enough.`;
  const tail =
    from.part === 'interior'
      ? ''
      : ' The threshold lies beyond the outermost quantile, so it is an estimate of the tail.';
  return html`<p>The first probability comes from ${name}: step ${from.step}, ${CONDITIONS[from.op]} ${formatExact(from.threshold)}.${past}${tail}</p>
${source !== null && html`<p><a class="tap" href="/forecasts/${source.slug}/questions">Other questions from this forecast</a></p>`}`;
}

const ACTIONS: Readonly<Record<HistoryEntry['action'], string>> = {
  created: 'Asked',
  revised: 'Revised',
  resolved: 'Resolved',
  annulled: 'Annulled',
  checked: 'Checked by its rule',
};

const BY: Readonly<Record<HistoryEntry['by'], string>> = {
  author: 'by the account that asked',
  member: 'by a member of the workspace',
  administrator: 'by an administrator',
  rule: 'automatically',
};

/** Renders what happened to a question, newest first. */
export function renderHistory({ history }: QuestionView): Html {
  return html`<details class="card question-history"><summary>History</summary>
<ol class="list">${history.map(
    ({ at, action, by, details }) => html`
<li><span>${ACTIONS[action]} ${BY[by]}${describeDetails(details)}</span> <span class="soft">${renderTime(at)}</span></li>`,
  )}
</ol></details>`;
}

function describeDetails({ probability }: HistoryEntry['details']): string {
  return typeof probability === 'number' ? `: ${formatProbability(probability)}` : '';
}
