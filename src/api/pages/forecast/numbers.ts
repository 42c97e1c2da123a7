import type { ForecastFormats, Prediction } from '../../../wording/index.ts';
import { formatCount, formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';

/** Tables with more rows are folded. */
const MAX_OPEN_ROWS = 31;

interface ActualRow {
  readonly step: number;
  readonly actual: number;
  readonly replayed?: boolean | undefined;
}

/** Renders the table of all quantiles, with the actual values. */
export function renderNumbers(
  { levels, formatValue, formatPeriod }: ForecastFormats,
  predictions: readonly Prediction[],
  actualRows: readonly ActualRow[],
  { maxOpenRows = MAX_OPEN_ROWS } = {},
): Html {
  const rows = new Map(actualRows.map((row) => [row.step, row]));
  const hasKnown = actualRows.some(({ replayed }) => replayed);
  const hasActual = actualRows.some(({ replayed }) => !replayed);
  const { keys, median } = levels;
  const table = html`<div class="scroll" role="region" aria-label="Quantiles by period" tabindex="0">
<table aria-labelledby="numbers" aria-describedby="levels">
<thead><tr><th scope="col">Period</th>${keys.map((key) => html`<th scope="col">${formatShare(Number(key))}</th>`)}${
    hasActual && html`<th scope="col">Actual</th>`
  }${hasKnown && html`<th scope="col">Known when made</th>`}</tr></thead>
<tbody>${predictions.map(({ timestamp, quantiles }, index) => {
    const row = rows.get(index + 1);
    return html`
<tr><th scope="row">${formatPeriod(new Date(timestamp))}</th>${keys.map(
      (key) => html`<td${key === median && html` class="middle"`}>${formatValue(Number(quantiles[key]))}</td>`,
    )}${hasActual && html`<td>${row && !row.replayed && formatValue(row.actual)}</td>`}${
      hasKnown && html`<td>${row?.replayed && formatValue(row.actual)}</td>`
    }</tr>`;
  })}
</tbody>
</table>
</div>`;
  return html`<section class="card stack" aria-labelledby="numbers">
<h2 id="numbers">The numbers</h2>
<p class="soft" id="levels">Each column is a quantile: the actual value is expected below it with this probability.</p>
${
  predictions.length <= maxOpenRows
    ? table
    : html`<details><summary>Show all ${formatCount(predictions.length, 'period')}</summary>
${table}
</details>`
}
</section>`;
}
