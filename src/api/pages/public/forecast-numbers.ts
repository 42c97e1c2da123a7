import { isCollected } from '../../../forecasts/index.ts';
import { formatCount, formatRatio, formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';
import { countInside, type ForecastView } from './forecast-view.ts';

/** Tables with more rows are folded. */
const MAX_OPEN_ROWS = 31;

/** Renders what became known after the forecast was made, with its scores. */
export function renderOutcome(view: ForecastView): Html | null {
  const { outcome, forecast } = view.published;
  if (outcome === null) return null;
  const { horizon } = forecast.settings;
  const replayed = outcome.rows.filter((row) => row.replayed).length;
  return html`<section class="card stack" aria-labelledby="outcome">
<h2 id="outcome">Outcome</h2>
<p>${describeState(view, outcome.rows.length, horizon)}</p>${
    outcome.rows.length > 0 &&
    !isCollected(view.published.forecast.settings) &&
    html`
<p>The owner of this forecast sent these values. This service has not checked them.</p>`
  }${
    replayed > 0 &&
    html`
<p>${replayed === 1 ? 'One of these values' : `${replayed} of these values`} existed when the forecast was made, because it
starts in the past. The chart marks them as known when made, the table as replayed. They are not scored.</p>`
  }${renderScores(view)}${
    outcome.revised &&
    html`
<p class="hint">The source has revised values since they were recorded here. The recorded values and scores do not change.</p>`
  }
</section>`;
}

function describeState({ published }: ForecastView, known: number, horizon: number): string {
  if (published.outcome?.isPublic === false) return 'The actual values come from a source that is not public.';
  const status = published.outcome?.status;
  if (status === 'complete')
    return `The outcome is complete: ${formatCount(known, 'value')} of ${formatCount(horizon, 'period')}.`;
  if (known > 0)
    return `So far ${formatCount(known, 'value')} of ${formatCount(horizon, 'period')} ${known === 1 ? 'is' : 'are'} known.`;
  if (status === 'unavailable') return 'The actual values could not be read from the source.';
  return isCollected(published.forecast.settings)
    ? 'No actual value is known yet. Values are added here as they become known.'
    : 'The owner of this forecast has not sent any actual value yet.';
}

function renderScores(view: ForecastView): Html | null {
  const { outcome, forecast } = view.published;
  const metrics = outcome?.metrics;
  const rows = (outcome?.rows ?? []).filter(({ replayed }) => !replayed);
  if (!metrics || metrics.count === 0 || rows.length === 0) return null;
  const { interval } = view.levels;
  const inside = countInside(view.levels, forecast.result?.predictions ?? [], rows);
  return html`
<ul class="ticks">${
    interval !== null &&
    html`
<li><strong>${inside} of ${rows.length}</strong> scored values lay inside the ${formatShare(interval.share)} range.</li>`
  }${
    metrics.mae !== null &&
    html`
<li>The middle of the forecast was off by <strong>${view.formatValue(metrics.mae)}</strong> on average.</li>`
  }${metrics.relative_wql !== null && renderRelative(metrics.relative_wql)}
</ul>`;
}

function renderRelative(relative: number): Html {
  const verdict =
    relative < 1 ? 'The forecast was better.' : relative > 1 ? 'The naive forecast was better.' : 'Both were equal.';
  return html`
<li>Its loss was <strong>${formatRatio(relative)} times</strong> that of a naive forecast, which repeats the last season.
${verdict}</li>`;
}

/** Renders the table of all quantiles, with the actual values. */
export function renderNumbers({ published, levels, formatValue, formatPeriod }: ForecastView): Html {
  const predictions = published.forecast.result?.predictions ?? [];
  const rows = new Map((published.outcome?.rows ?? []).map((row) => [row.step, row]));
  const { keys, median } = levels;
  const table = html`<div class="scroll" role="region" aria-label="Quantiles by period" tabindex="0">
<table aria-labelledby="numbers" aria-describedby="levels">
<thead><tr><th scope="col">Period</th>${keys.map((key) => html`<th scope="col">${formatShare(Number(key))}</th>`)}${
    rows.size > 0 && html`<th scope="col">Actual</th>`
  }</tr></thead>
<tbody>${predictions.map(({ timestamp, quantiles }, index) => {
    const row = rows.get(index + 1);
    return html`
<tr><th scope="row">${formatPeriod(new Date(timestamp))}</th>${keys.map(
      (key) => html`<td${key === median && html` class="middle"`}>${formatValue(Number(quantiles[key]))}</td>`,
    )}${rows.size > 0 && html`<td>${row && formatValue(row.actual)}${row?.replayed && ' (replayed)'}</td>`}</tr>`;
  })}
</tbody>
</table>
</div>`;
  return html`<section class="card stack" aria-labelledby="numbers">
<h2 id="numbers">The numbers</h2>
<p class="soft" id="levels">Each column is a quantile: the actual value is expected below it with this probability.</p>
${
  predictions.length <= MAX_OPEN_ROWS
    ? table
    : html`<details><summary>Show all ${formatCount(predictions.length, 'period')}</summary>
${table}
</details>`
}
</section>`;
}
