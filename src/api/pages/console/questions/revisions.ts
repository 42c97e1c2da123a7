import { drawProbabilityChart, type ProbabilityChart } from '../../../../charts/index.ts';
import { drawInPage } from '../../forecast/draw-in-page.ts';
import { formatCount, formatDay, formatProbability } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderMeaning, renderTerm } from '../terms.ts';
import type { QuestionView, Revision } from './question-view.ts';
import { renderTime } from './words.ts';

const OUTCOMES = { resolved_yes: 'yes', resolved_no: 'no', annulled: 'annulled' } as const;

/** Renders the current probability and how it came about. */
export function renderProbability(view: QuestionView): Html {
  const { question, revisions } = view;
  return html`<section class="card stack" aria-labelledby="probability">
<h2 id="probability" class="away">Probability</h2>
<p class="question-now"><span class="figure">${formatProbability(question.probability)}</span>
<span class="lead">probability of yes<br><span class="soft">given at ${renderTime(question.revised_at)}${question.revision > 1 && `, as revision ${question.revision}`}</span></span></p>
<figure class="odds-figure" data-cursor>
<figcaption>${describeChange(revisions)} The line shows the probability that counted at each time.</figcaption>
${drawInPage((options) => drawProbabilityChart(chartOf(view), options))}
<p class="values soft small number" role="status"></p>
</figure>
</section>`;
}

function chartOf({ question, revisions, now }: QuestionView): ProbabilityChart {
  const { status, resolved_at } = question;
  return {
    title: question.question,
    revisions: revisions.map(({ created_at, probability }) => ({ timestamp: Date.parse(created_at), probability })),
    ...(status !== 'pending' && { outcome: OUTCOMES[status] }),
    end: resolved_at === null ? now.getTime() : Date.parse(resolved_at),
  };
}

function describeChange(revisions: readonly Revision[]): string {
  const [first, last] = [revisions[0], revisions.at(-1)];
  if (first === undefined || last === undefined) return 'No probability was given.';
  const given = `The first probability was ${formatProbability(first.probability)}, on ${formatDay(new Date(first.created_at))}.`;
  if (revisions.length === 1) return `${given} It has not been revised.`;
  return `${given} After ${formatCount(revisions.length - 1, 'revision')} it is ${formatProbability(last.probability)}.`;
}

const ACTORS = {
  author: 'The account that asked',
  member: 'A member of the workspace',
  administrator: 'An administrator',
  rule: 'The rule',
} as const;

/** Renders every revision with its note and its proof, newest first. */
export function renderRevisions({ question, revisions }: QuestionView): Html {
  const hasNotes = revisions.some(({ note }) => note !== null);
  const isLong = revisions.length > 12;
  return html`<section class="card stack" aria-labelledby="revisions">
<h2 id="revisions">Revisions${renderMeaning('revision')}</h2>
<p class="soft">${formatCount(revisions.length, 'revision')}, newest first. A revision never changes. Each has a proof, which you can download and <a href="/verify">verify</a>.</p>
<div class="scroll${isLong && ' tall'}" role="region" aria-label="Revisions" tabindex="0">
<table id="revision-table">
<thead><tr><th scope="col">Revision</th><th scope="col">Probability</th><th scope="col" class="when">Given at</th><th scope="col" class="words">By</th>${
    hasNotes && html`<th scope="col" class="words">Note</th>`
  }<th scope="col" class="words">${renderTerm('stamp', 'Stamp')}</th><th scope="col" class="words">${renderTerm('proof', 'Proof')}</th></tr></thead>
<tbody>${revisions.toReversed().map(
    (revision) => html`
<tr${question.score?.revision === revision.revision && html` class="scored"`}><th scope="row">${revision.revision}</th><td class="middle">${formatProbability(revision.probability)}${
      question.score?.revision === revision.revision && html` <span class="tag info">Scored</span>`
    }</td><td class="when">${renderTime(revision.created_at)}</td><td class="words">${ACTORS[revision.by]}</td>${
      hasNotes && html`<td class="words prose">${revision.note}</td>`
    }<td class="words">${renderReceipt(revision)}</td><td class="words">${
      revision.provenance === null
        ? 'Older than proofs'
        : html`<a class="tap" href="/api/v1/forecasts/${question.forecast_id}/proof?revision=${revision.revision}" download="${question.slug}-${revision.revision}-proof.json" aria-label="Download the proof of revision ${revision.revision}">Download</a>`
    }</td></tr>`,
  )}
</tbody></table></div>
</section>`;
}

function renderReceipt({ provenance }: Revision): Html | string {
  const stamp = provenance?.receipt ?? null;
  if (stamp !== null)
    return html`<span class="tag good plain">✓ Stamped</span><br>${renderTime(stamp.timestamp)}<br><span class="hint">Chain ${stamp.chain_id}, <code title="${stamp.transaction_hash}">${stamp.transaction_hash.slice(0, 10)}…</code></span>`;
  return provenance === null || provenance.status === 'unavailable' ? 'Not stamped' : 'Waiting for its stamp';
}
