import type { Frequency } from '../../../../calendar/index.ts';
import { seriesFormat } from '../../../../charts/index.ts';
import { formatCount, formatInteger, periodFormat } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { sourceParams } from '../source-address.ts';
import type { SeriesRows } from './read-rows.ts';
import { describeValue, frequencyOf, isIntraday, type SeriesView, shownRows } from './series-view.ts';

/** More rows are in the CSV file. */
const MAX_ROWS = 50;

/** Renders the latest rows of the range as a table, the newest first. */
export function renderTable(view: SeriesView, rows: SeriesRows): Html {
  const [from, to] = shownRows(view);
  const shown = Array.from({ length: Math.min(MAX_ROWS, to - from) }, (_, i) => to - 1 - i);
  const inFile = isFileOfRange(view) ? to - from : rows.timestamps.length;
  const columns = columnsOf(view, rows);
  const cell = timeCell(frequencyOf(view), isIntraday(view));
  const noun = view.source.type === 'market' ? 'bar' : 'row';
  const part =
    to - from > shown.length
      ? `The last ${shown.length} of ${formatCount(to - from, noun)}`
      : `All ${formatCount(to - from, noun)}`;
  return html`<section class="card stack" id="rows" aria-labelledby="rows-title">
<div class="card-head">
<h2 id="rows-title">The numbers</h2>
<a class="button quiet" href="${csvAddress(view, rows)}" download>Download CSV <span class="soft">(${formatInteger(inFile)})</span></a>
</div>
<p class="hint" id="rows-part">${part} in this range, the newest first. The file has ${inFile === to - from ? 'all of them' : `all ${formatInteger(inFile)} that were read`}.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Latest rows">
<table aria-labelledby="rows-title" aria-describedby="rows-part">
<thead><tr><th scope="col">${isIntraday(view) ? 'Start' : 'Period'}</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${shown.map(
    (row) =>
      html`<tr><th scope="row">${cell(rows.timestamps[row] ?? 0)}</th>${columns.map(
        ({ values, format }) => html`<td>${format(values[row] ?? Number.NaN)}</td>`,
      )}</tr>`,
  )}</tbody>
</table>
</div>
</section>`;
}

function columnsOf(view: SeriesView, { columns }: SeriesRows) {
  const names = { open: 'Open', high: 'High', low: 'Low', close: 'Close', volume: 'Volume' } as const;
  if (view.source.type !== 'market') {
    const { label, units } = describeValue(view);
    const values = columns.value ?? [];
    const name = units === '' || label.includes(units) ? label : `${label} (${units})`;
    return [{ label: name, values, format: seriesFormat(values) }];
  }
  // All prices of a table have the same decimals.
  const prices = seriesFormat(columns.close ?? []);
  return (Object.keys(names) as (keyof typeof names)[]).map((name) => ({
    label: names[name],
    values: columns[name] ?? [],
    format: name === 'volume' ? seriesFormat(columns.volume ?? []) : prices,
  }));
}

/** Returns a function that renders the time of a row: of longer periods their name, of others the instant in UTC. */
function timeCell(frequency: Frequency | null, hasTimes: boolean): (time: number) => Html {
  if (hasTimes) {
    return (time) => {
      const iso = new Date(time).toISOString();
      return html`<time datetime="${iso}" data-local>${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
    };
  }
  const format = periodFormat(frequency ?? '1D');
  return (time) => {
    const date = new Date(time);
    return html`<time datetime="${date.toISOString().slice(0, 10)}">${format(date)}</time>`;
  };
}

/** Whether the file has the rows of the range alone. Only bars can be read by a range, and a snapshot is a whole. */
function isFileOfRange({ source, choices }: SeriesView): boolean {
  return source.type === 'market' && choices.snapshot === null && (choices.from !== null || choices.to !== null);
}

/** Returns the address of the file: the rows of the range, or exactly those that were read. */
function csvAddress(view: SeriesView, { snapshotId, timestamps }: SeriesRows): string {
  const params = sourceParams(view.source);
  if (isFileOfRange(view)) {
    // The first row of the page, because without a start the file would also have rows that the page did not read.
    params.append('from', new Date(timestamps[shownRows(view)[0]] ?? 0).toISOString());
    if (view.choices.to !== null) params.append('to', new Date(view.choices.to).toISOString());
  } else params.append('snapshot', snapshotId);
  return `/series.csv?${params}`;
}
