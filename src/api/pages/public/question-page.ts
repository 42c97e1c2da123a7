import { drawProbabilityChart, type ProbabilityChart } from '../../../charts/index.ts';
import type { EventStatus, RuleOperator } from '../../../contract/index.ts';
import type { FoundPublicEvent, PublicRevision } from '../../../scout/index.ts';
import { renderFacts } from '../facts.ts';
import { describeSource } from '../forecast/describe-source.ts';
import { drawInPage } from '../forecast/draw-in-page.ts';
import { formatCount, formatDay, formatMoment, formatProbability, formatRatio } from '../format.ts';
import { type Html, html } from '../html.ts';
import { renderPublicDocument } from './document.ts';
import { renderReceipt } from './receipt.ts';

/** What the page of a question shows. */
export interface QuestionView {
  readonly found: FoundPublicEvent;
  /** Oldest first. */
  readonly revisions: readonly PublicRevision[];
  /** The slug of the forecast that the first probability comes from, if it has a public page. */
  readonly sourceSlug: string | null;
}

type EventRow = FoundPublicEvent['event'];

const OUTCOMES = { resolved_yes: 'yes', resolved_no: 'no', annulled: 'annulled' } as const;
/** What the status of a question means. */
export const QUESTION_STATES: Readonly<Record<EventStatus, string>> = {
  pending: 'Open',
  resolved_yes: 'Resolved: yes',
  resolved_no: 'Resolved: no',
  annulled: 'Annulled',
};

/** Renders the page of a question. @param siteUrl the public origin of the service */
export function renderQuestionPage(view: QuestionView, siteUrl: string): string {
  const { event, receipt } = view.found;
  const url = `${siteUrl}/questions/${event.slug}`;
  return renderPublicDocument({
    title: event.question,
    kind: 'Question',
    description: `${QUESTION_STATES[event.status]}. Probability of yes: ${formatProbability(event.probability)}.`,
    preview: { url, image: null },
    body: html`<article>
<div class="card stack">
<h1>${event.question}</h1>
<div class="state"><span class="big">${formatProbability(event.probability)}</span>
<span class="lead">probability of yes<br><span class="soft">given on ${formatDay(event.revised_at)}</span></span>
<span class="tag${event.status === 'resolved_yes' && ' good'}${event.status === 'resolved_no' && ' bad'}">${QUESTION_STATES[event.status]}</span></div>
${drawInPage((options) => drawProbabilityChart(chartOf(view), options))}
</div>
${event.status !== 'pending' && renderResolution(event)}
<div class="columns">
${renderAbout(view)}
<section class="card stack" aria-labelledby="check">
<h2 id="check">Check it</h2>
<p>Every revision has a proof with its probability and its time. This is the proof of revision
${event.scored_revision ?? event.revision}.</p>
${renderReceipt(receipt?.content_cid ?? null, receipt)}
<p class="hint">Any account can read the proof file at <code>/api/v1/forecasts/${event.slug}/proof</code> and check it at
<a href="/verify">/verify</a>.</p>
</section>
</div>
${renderRevisions(view.revisions)}
<section class="card stack" aria-labelledby="cite">
<h2 id="cite">Cite</h2>
<pre>Almanac. “${event.question}” ${formatProbability(event.probability)} on ${formatDay(event.revised_at)}. ${url}</pre>
</section>
</article>`,
  });
}

function chartOf({ found: { event }, revisions }: QuestionView): ProbabilityChart {
  return {
    title: event.question,
    revisions: revisions.map(({ created_at, probability }) => ({ timestamp: created_at.getTime(), probability })),
    ...(event.status !== 'pending' && { outcome: OUTCOMES[event.status] }),
    ...(event.resolved_at !== null && { end: event.resolved_at.getTime() }),
  };
}

const RESOLVERS = {
  rule: 'By its rule, from the data',
  author: 'By the account that asked it',
  member: 'By a member of its workspace',
  administrator: 'By an administrator',
} as const;

function renderResolution(event: EventRow): Html {
  const { evidence, scored_probability, log_score, brier_score, resolved_at, resolved_by } = event;
  const observation = evidence?.observation ?? null;
  const isScored = log_score !== null && scored_probability !== null;
  return html`<section class="card stack" aria-labelledby="resolution">
<h2 id="resolution">Resolution</h2>
${renderFacts('facts', [
  ['Outcome', QUESTION_STATES[event.status]],
  ['What happened', event.actual_outcome],
  ['Source', event.resolution_source],
  ['Observed', observation && `${observation.value} for ${formatDay(new Date(observation.timestamp))}`],
  ['Evidence', evidence?.text ?? null],
  [
    'Resolved',
    resolved_at && `${formatMoment(resolved_at)}. ${resolved_by === null ? '' : `${RESOLVERS[resolved_by]}.`}`,
  ],
  [
    'Score',
    isScored
      ? `Log score ${formatRatio(log_score)}${brier_score === null ? '' : `, Brier score ${formatRatio(brier_score)}`}, for ${formatProbability(scored_probability)} in revision ${event.scored_revision}. Lower is better; 50% always scores 0.693.`
      : event.status === 'annulled'
        ? 'An annulled question has no score.'
        : 'No revision was made before the outcome was known.',
  ],
])}
</section>`;
}

const CONDITIONS: Readonly<Record<RuleOperator, string>> = {
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
};

function renderAbout({ found: { event }, sourceSlug }: QuestionView): Html {
  const rule = event.resolution_rule;
  const ticker = event.entity_ticker === '' ? '' : ` (${event.entity_ticker})`;
  return html`<section class="card stack" aria-labelledby="about">
<h2 id="about">About the question</h2>
${renderFacts('facts', [
  ['About', `${event.entity_name}${ticker}`],
  ['Category', event.category],
  ['If it happens', event.possible_future_headline],
  ['Asked at', formatMoment(event.created_at)],
  ['Uses what was known by', formatMoment(event.input_cutoff_at)],
  ['Deadline', formatMoment(event.resolution_deadline)],
  [
    'Resolves to yes if',
    rule &&
      `${describeSource(rule.source)} ${CONDITIONS[rule.op]} ${rule.threshold} for ${formatDay(new Date(rule.observed_at))}`,
  ],
  ['Model', event.model],
  [
    'First probability from',
    sourceSlug === null ? null : html`the forecast <a href="/forecasts/${sourceSlug}">${sourceSlug}</a>`,
  ],
])}
</section>`;
}

/** The revisions that the table shows, newest first. The chart shows all. */
const MAX_REVISIONS_SHOWN = 50;

function renderRevisions(revisions: readonly PublicRevision[]): Html {
  const shown = revisions.slice(-MAX_REVISIONS_SHOWN).reverse();
  const hasNotes = shown.some(({ note }) => note !== null);
  return html`<section class="card stack" aria-labelledby="revisions">
<h2 id="revisions">Revisions</h2>
<p class="soft">${
    shown.length < revisions.length
      ? `The latest ${shown.length} of ${formatCount(revisions.length, 'revision')}.`
      : `${formatCount(revisions.length, 'revision')}. A revision is never changed.`
  }</p>
<div class="scroll" role="region" aria-label="Revisions" tabindex="0">
<table aria-labelledby="revisions">
<thead><tr><th scope="col">Revision</th><th scope="col">Probability</th><th scope="col">Given at</th>${
    hasNotes && html`<th scope="col" class="words">Note</th>`
  }</tr></thead>
<tbody>${shown.map(
    ({ number, created_at, probability, note }) => html`
<tr><th scope="row">${number}</th><td class="middle">${formatProbability(probability)}</td><td class="when">${formatMoment(created_at)}</td>${
      hasNotes && html`<td class="words">${note}</td>`
    }</tr>`,
  )}
</tbody>
</table>
</div>
</section>`;
}
