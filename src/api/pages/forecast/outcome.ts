import type { OutcomeStatus } from '../../../contract/index.ts';
import { countInside, type ForecastFormats, type Prediction } from '../../../wording/index.ts';
import { formatCount, formatMoment, formatRatio, formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';

/** What a page shows of an outcome. */
export interface ShownOutcome {
  readonly status: OutcomeStatus;
  readonly rows: readonly {
    readonly step: number;
    readonly actual: number;
    readonly replayed?: boolean | undefined;
  }[];
  /** The scores of the rows that are not replayed; null if there is none. */
  readonly scores: { readonly mae: number | null; readonly relative_wql: number | null } | null;
  readonly revised: boolean;
  /** Whether a job reads the rows from the source. Otherwise the owner of the forecast sends them. */
  readonly isCollected: boolean;
  /** The address of the page on which the reader can enter the rows. */
  readonly enterAt?: string | undefined;
  /** Whether the reader may not see the rows. */
  readonly isHidden: boolean;
  /** Whether the last period is over, as in a replay. */
  readonly isOver: boolean;
  /** When the source is read for the values: that is due, or an instant; null if the page does not state it. */
  readonly readAt: Date | 'due' | null;
}

/** Renders what became known after a forecast was made, with its scores. */
export function renderOutcome(
  formats: ForecastFormats,
  predictions: readonly Prediction[],
  outcome: ShownOutcome,
): Html {
  const replayed = outcome.rows.filter((row) => row.replayed).length;
  return html`<section class="card stack" aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
<p>${describeState(outcome, predictions.length)}</p>${renderEntering(outcome)}${
    outcome.rows.length > 0 &&
    !outcome.isCollected &&
    html`
<p>The owner of this forecast sent these values. This service has not checked them.</p>`
  }${
    replayed > 0 &&
    html`
<p>${describeReplayed(replayed)}</p>`
  }${renderScores(formats, predictions, outcome)}${
    outcome.revised &&
    html`
<p class="hint">The source has revised values since they were recorded here. The recorded values and scores do not change.</p>`
  }
</section>`;
}

/** Renders the link to the page on which values are entered, if the reader can enter more. */
function renderEntering({ enterAt, isCollected, status }: ShownOutcome): Html | null {
  if (enterAt === undefined || isCollected || status === 'complete') return null;
  return html`
<p><a class="button quiet" href="${enterAt}">Enter actual values</a></p>`;
}

/** Returns why some values of an outcome are not scored. */
function describeReplayed(count: number): string {
  return count === 1
    ? 'One of these values existed when the forecast was made, because the forecast starts in the past. It has a hollow dot in the chart, and the table lists it as known when made. It is not scored.'
    : `${count} of these values existed when the forecast was made, because the forecast starts in the past. They have hollow dots in the chart, and the table lists them as known when made. They are not scored.`;
}

function describeState(
  { status, rows, isCollected, isHidden, isOver, readAt, enterAt }: ShownOutcome,
  horizon: number,
): string {
  const known = rows.length;
  if (isHidden) return 'The actual values come from a source that is not public.';
  if (status === 'complete')
    return `The outcome is complete: ${formatCount(known, 'value')} of ${formatCount(horizon, 'period')}.`;
  if (known > 0)
    return `So far ${formatCount(known, 'value')} of ${formatCount(horizon, 'period')} ${known === 1 ? 'is' : 'are'} known.`;
  if (status === 'unavailable') return 'The actual values could not be read from the source.';
  if (isCollected && isOver) return `The periods of this forecast are over. ${describeReading(readAt)}`;
  if (!isCollected && enterAt !== undefined)
    return `No actual value is known yet. This service cannot read them, because a file or rows that were sent do not change. ${isOver ? 'All periods are over: enter them now.' : 'Enter them when their periods are over.'}`;
  return isCollected
    ? 'No actual value is known yet. Values are added here as they become known.'
    : 'The owner of this forecast has not sent any actual value yet.';
}

function describeReading(readAt: ShownOutcome['readAt']): string {
  if (readAt === null) return 'Actual values appear here when they were read from the source.';
  if (readAt === 'due') return 'The actual values are read from the source every few minutes and appear here.';
  return `No actual value is recorded yet. The source is read again after ${formatMoment(readAt)}.`;
}

function renderScores(
  { levels, formatValue }: ForecastFormats,
  predictions: readonly Prediction[],
  { rows, scores }: ShownOutcome,
): Html | null {
  const scored = rows.filter(({ replayed }) => !replayed);
  if (scores === null || scored.length === 0) return null;
  const { interval } = levels;
  const inside = countInside(levels, predictions, scored);
  return html`
<ul class="ticks">${
    interval !== null &&
    html`
<li><strong>${inside} of ${scored.length}</strong> scored values lay inside the ${formatShare(interval.share)} range.</li>`
  }${
    scores.mae !== null &&
    html`
<li>The middle of the forecast was off by <strong>${formatValue(scores.mae)}</strong> on average.</li>`
  }${scores.relative_wql !== null && renderRelative(scores.relative_wql)}
</ul>`;
}

function renderRelative(relative: number): Html {
  const verdict =
    relative < 1 ? 'The forecast was better.' : relative > 1 ? 'The naive forecast was better.' : 'Both were equal.';
  return html`
<li>Its loss was <strong>${formatRatio(relative)} times</strong> that of a naive forecast, which repeats the last season.
${verdict}</li>`;
}
