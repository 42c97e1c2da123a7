import { describeSeriesChart, drawSeriesChart, type SeriesChart } from '../../../../charts/index.ts';
import { periodFormat } from '../../format.ts';
import { Html, html } from '../../html.ts';
import type { SeriesRows } from './read-rows.ts';
import { describeValue, frequencyOf, hasCandles, lineColumn, type SeriesView, shownRows } from './series-view.ts';

/** Renders the chart as the server draws it. A script replaces the drawing, and the sentence stays. */
export function renderChart(view: SeriesView, rows: SeriesRows): Html {
  const chart = chartOf(view, rows);
  const draw = (width: number, height: number, id: string) =>
    new Html(drawSeriesChart(chart, { width, height, id, standalone: false }));
  const frequency = frequencyOf(view);
  const format = frequency === null ? undefined : periodFormat(frequency);
  const sentence = describeSeriesChart(chart, format && ((time) => format(new Date(time))));
  return html`<figure class="series-chart" aria-describedby="chart-words">
<div id="chart-live" class="live-chart" hidden></div>
<div class="chart" id="chart-still"><div class="desk">${draw(1120, 440, 'wide')}</div><div class="phone">${draw(340, 340, 'narrow')}</div></div>
<p class="hint" id="chart-how" hidden>${
    hasCandles(view)
      ? 'Drag to move, use the wheel to zoom.'
      : 'Drag over a part to see it larger, use the wheel to zoom.'
  } With the keyboard: arrows move over the rows, <kbd>+</kbd> and <kbd>-</kbd> zoom.</p>
<figcaption id="chart-words">${sentence}</figcaption>
${
  hasCandles(view) &&
  html`<p class="hint credit" id="chart-credit" hidden>Charts by <a href="https://www.tradingview.com/" rel="noopener noreferrer">TradingView</a> Lightweight Charts™, Copyright © 2025 TradingView, Inc.</p>`
}
</figure>`;
}

function chartOf(view: SeriesView, rows: SeriesRows): SeriesChart {
  const [from, to] = shownRows(view);
  const cut = (name: string): readonly number[] => (rows.columns[name] ?? []).slice(from, to);
  const { label, units } = describeValue(view);
  return {
    title: hasCandles(view) ? view.description.title : `${view.description.title}: ${label}`,
    units,
    timestamps: rows.timestamps.slice(from, to),
    values: lineColumn(view).slice(from, to),
    ...(hasCandles(view) && { bars: { open: cut('open'), high: cut('high'), low: cut('low') } }),
    log: view.choices.isLog,
  };
}
