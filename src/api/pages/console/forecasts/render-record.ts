import { describeDeciles, drawCalibration, drawDeciles } from '../../../../charts/index.ts';
import { formatCount, formatDay, formatInteger, formatRatio, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { renderNote } from '../states.ts';
import {
  chooseInterval,
  describeFigures,
  describeIntervals,
  type Figures,
  formatRange,
  type Interval,
  judgeInterval,
  type Record,
} from './describe-record.ts';

/** Renders a track record: in words first, then as plots and tables. @param csv the address of the file behind it */
export function renderRecord(record: Record, csv: string, modelNames: ReadonlyMap<string, string>): Html {
  const { ensemble, models, truncated, reported } = record;
  return html`<section class="card stack" aria-labelledby="in-words">
<h2 id="in-words">In words</h2>
<p class="lead">${describeFigures(ensemble)}</p>
${renderTiles(record)}
${
  truncated &&
  renderNote('warning', 'Only the latest 10,000 outcomes are counted. Choose a shorter period to include older ones.')
}
${
  reported > 0 &&
  renderNote(
    'info',
    `${formatCount(reported, 'forecast')} ${reported === 1 ? 'has' : 'have'} outcomes that a caller sent. No provider confirms these.`,
  )
}
<p class="actions"><a class="button quiet" href="${csv}" download>Download every scored step (CSV)</a></p>
<details><summary>How this is computed</summary><p class="soft">${record.definition}</p></details>
</section>
<div class="grid two record-charts">
${renderCalibration(ensemble.coverage)}
${renderDeciles(ensemble.deciles)}
</div>
${renderTable(
  'bands',
  'How far ahead',
  'The first steps are easier than the last. A band counts the steps of all forecasts that have them.',
  'Steps ahead',
  ensemble.bands.map((band) => [band.steps.replace('-', ' to '), band]),
)}
${
  models.length > 0 &&
  renderTable(
    'models',
    'Models',
    'Each member model as if it had been the forecast, on the same rows as the ensemble.',
    'Model',
    [
      ['Ensemble', ensemble] as const,
      ...models.map((model) => [modelNames.get(model.model) ?? model.model, model] as const),
    ],
  )
}`;
}

function renderTiles({ ensemble, from, to }: Record): Html {
  const interval = chooseInterval(ensemble.coverage);
  const tile = (label: string, value: string | Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<dl class="tiles">
${tile('Forecasts', formatInteger(ensemble.forecasts))}
${tile('Scored rows', formatInteger(ensemble.rows))}
${tile('Loss, seasonal naive = 1', ensemble.relative_wql === null ? '–' : formatRatio(ensemble.relative_wql))}
${interval !== null && tile(`Held by the ${formatShare(interval.nominal)} interval`, `${formatShare(interval.share, 0)} [${formatRange(interval)}]`)}
${from !== null && to !== null && tile('Made', renderPeriod(from, to))}
</dl>`;
}

function renderPeriod(from: string, to: string): Html {
  const [first, last] = [from, to].map((moment) => formatDay(new Date(moment)));
  if (first === last) return html`<time datetime="${from}">${first}</time>`;
  return html`<time datetime="${from}">${first}</time> to <time datetime="${to}">${last}</time>`;
}

function renderCalibration(coverage: readonly Interval[]): Html {
  const counted = coverage.filter(({ rows }) => rows > 0).toSorted((one, other) => one.nominal - other.nominal);
  if (counted.length === 0) {
    return html`<section class="card stack" aria-labelledby="calibration"><h2 id="calibration">Calibration</h2>
<p>None of the forecasts states an interval, so there is nothing to compare. Ask for at least two quantiles, such as 10% and 90%.</p></section>`;
  }
  const title = 'Calibration of the intervals';
  return html`<section class="card stack" aria-labelledby="calibration">
<h2 id="calibration">Calibration</h2>
<figure>
<figcaption>${describeIntervals(counted)} A point above the dashed line is an interval that is too wide, one below it is too narrow.
Bars are 95% Wilson intervals.</figcaption>
<div class="plot" role="group" aria-label="Plot of the calibration" data-cursor="calibration-table">${new Html(
    drawCalibration({ title, points: counted }, { standalone: false, id: 'calibration-plot' }),
  )}</div>
<div class="scroll" role="region" aria-label="Calibration in numbers" tabindex="0">
<table id="calibration-table"><thead><tr><th scope="col">Interval</th><th scope="col">Held</th><th scope="col">95% range</th><th scope="col">Inside</th><th scope="col">Rows</th><th scope="col">Verdict</th></tr></thead>
<tbody>${counted.map(
    (interval) => html`
<tr><th scope="row">${formatShare(interval.nominal)}</th><td>${formatShare(interval.share)}</td><td>${formatRange(interval)}</td><td>${formatInteger(interval.inside)}</td><td>${formatInteger(interval.rows)}</td><td>${judgeInterval(interval)}</td></tr>`,
  )}
</tbody></table></div>
</figure>
</section>`;
}

function renderDeciles(deciles: Record['ensemble']['deciles']): Html {
  const rows = deciles.reduce((sum, one) => sum + one.rows, 0);
  if (rows === 0) {
    return html`<section class="card stack" aria-labelledby="deciles"><h2 id="deciles">Where the values fell</h2>
<p>No forecast states quantiles from 10% to 90% without a wide gap, so the tenths of its distribution are not known.</p></section>`;
  }
  const shares = deciles.map(({ share }) => share ?? 0);
  return html`<section class="card stack" aria-labelledby="deciles">
<h2 id="deciles">Where the values fell</h2>
<figure>
<figcaption>${describeDeciles(shares)} Full outer tenths mean fans that are too narrow.</figcaption>
<div class="plot" role="group" aria-label="Chart of the tenths" data-cursor="deciles-table">${new Html(
    drawDeciles({ title: 'Rows in each tenth', shares }, { standalone: false, id: 'deciles-plot' }),
  )}</div>
<details><summary>Show the numbers</summary>
<table id="deciles-table"><thead><tr><th scope="col">Tenth</th><th scope="col">Rows</th><th scope="col">Share</th></tr></thead>
<tbody>${deciles.map(
    ({ from, to, rows: count, share }) => html`
<tr><th scope="row">${formatShare(from)} to ${formatShare(to)}</th><td>${formatRatio(count)}</td><td>${share === null ? '–' : formatShare(share)}</td></tr>`,
  )}
</tbody></table>
<p class="hint">A row at the edge of several tenths counts in parts for each of them.</p></details>
</figure>
</section>`;
}

function renderTable(
  id: string,
  title: string,
  text: string,
  heading: string,
  lines: readonly (readonly [label: string, figures: Figures])[],
): Html {
  const nominal = lines.map(([, { coverage }]) => chooseInterval(coverage)?.nominal).find((one) => one !== undefined);
  return html`<section class="card stack" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="soft">${text}</p>
<div class="scroll" role="region" aria-label="${title}, in numbers" tabindex="0">
<table><thead><tr><th scope="col">${heading}</th><th scope="col">Forecasts</th><th scope="col">Rows</th><th scope="col">Loss, seasonal naive = 1</th>${
    nominal !== undefined &&
    html`<th scope="col">Held by the ${formatShare(nominal)} interval</th><th scope="col">95% range</th>`
  }</tr></thead>
<tbody>${lines.map(([label, { forecasts, rows, relative_wql, coverage }]) => {
    const interval = coverage.find((one) => one.nominal === nominal && one.rows > 0);
    return html`
<tr><th scope="row">${label}</th><td>${formatInteger(forecasts)}</td><td>${formatInteger(rows)}</td><td>${
      relative_wql === null ? '–' : relative_wql.toFixed(2)
    }</td>${
      nominal !== undefined &&
      html`<td>${interval ? formatShare(interval.share) : '–'}</td><td>${interval ? formatRange(interval) : '–'}</td>`
    }</tr>`;
  })}
</tbody></table></div>
</section>`;
}
