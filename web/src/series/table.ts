import { seriesFormat } from '../../../src/charts/series-format.ts';
import { formatCount, periodFormat } from '../../../src/wording/format.ts';
import { showLocalTimes } from '../local-time.ts';
import type { Rows, SeriesData, Span } from './page.ts';

const MAX_ROWS = 50;
const BARS = ['open', 'high', 'low', 'close', 'volume'];

/** Shows the rows of a span in the table of the page, the newest first, as the server does. */
export function showTable(data: SeriesData, rows: Rows, { from, to }: Span): void {
  const table = document.querySelector('#rows table');
  const body = table?.querySelector('tbody');
  const part = document.getElementById('rows-part');
  if (!table || !body || !part) return;
  const names = table.querySelectorAll('thead th').length > 2 ? BARS : ['value'];
  if (names.some((name) => rows.columns[name] === undefined)) return;
  const prices = seriesFormat(rows.columns.close ?? rows.columns.value ?? []);
  const volumes = seriesFormat(rows.columns.volume ?? []);
  const first = Math.max(0, Math.ceil(from - 0.01));
  const last = Math.min(rows.timestamps.length - 1, Math.floor(to + 0.01));
  const shown = Array.from({ length: Math.max(0, Math.min(MAX_ROWS, last - first + 1)) }, (_, i) => last - i);
  body.replaceChildren(
    ...shown.map((row) => {
      const line = document.createElement('tr');
      const head = document.createElement('th');
      head.scope = 'row';
      head.append(timeOf(data, rows.timestamps[row] ?? 0));
      line.append(
        head,
        ...names.map((name) => {
          const cell = document.createElement('td');
          cell.textContent = (name === 'volume' ? volumes : prices)(rows.columns[name]?.[row] ?? Number.NaN);
          return cell;
        }),
      );
      return line;
    }),
  );
  showLocalTimes(body);
  const count = formatCount(Math.max(0, last - first + 1), names === BARS ? 'bar' : 'row');
  part.textContent = `The last ${shown.length} of ${count} in this range, the newest first.`;
}

function timeOf({ isIntraday, frequency }: SeriesData, time: number): HTMLTimeElement {
  const element = document.createElement('time');
  const iso = new Date(time).toISOString();
  element.dateTime = isIntraday ? iso : iso.slice(0, 10);
  element.textContent = isIntraday
    ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
    : periodFormat(frequency ?? '1D')(new Date(time));
  if (isIntraday) element.dataset.local = '';
  return element;
}
