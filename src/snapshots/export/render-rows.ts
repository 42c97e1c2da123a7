import type { SeriesTable } from '../series-table.ts';
import { csvCell } from './csv-cell.ts';

/** Rows between two looks at whatever else waits: a few milliseconds of work. */
const ROWS_AT_ONCE = 4_000;

/** The heads of the columns in the order they are written; by default their names. */
export type Heads = Readonly<Record<string, string>>;

/** The rows of a table as the inside of a JSON array: `{"timestamp":"…","close":1.5},…`. Nothing observed: null. */
export function* renderJson(table: SeriesTable, heads: Heads): Generator<string> {
  const columns = Object.entries(heads).map(([name, head]) => ({
    before: `,${JSON.stringify(head)}:`,
    values: columnOf(table, name),
  }));
  yield* inParts(table.timestamps, (time, row) => {
    let text = row === 0 ? `{"timestamp":"${time}"` : `,{"timestamp":"${time}"`;
    for (const { before, values } of columns) {
      const value = values[row] as number;
      text += before + (Number.isNaN(value) ? 'null' : value);
    }
    return `${text}}`;
  });
}

/** A table as a CSV file with a line of heads (RFC 4180). Nothing observed: an empty cell. */
export function* renderCsv(table: SeriesTable, heads: Heads): Generator<string> {
  const columns = Object.keys(heads).map((name) => columnOf(table, name));
  yield `${['timestamp', ...Object.values(heads)].map(csvCell).join(',')}\r\n`;
  yield* inParts(table.timestamps, (time, row) => {
    let line = time;
    for (const values of columns) {
      const value = values[row] as number;
      line += Number.isNaN(value) ? ',' : `,${value}`;
    }
    return `${line}\r\n`;
  });
}

function columnOf(table: SeriesTable, name: string): Float64Array {
  const column = table.columns[name];
  if (column === undefined) throw new RangeError(`The table has no column ${name}.`);
  return column;
}

function* inParts(timestamps: Float64Array, write: (time: string, row: number) => string): Generator<string> {
  const instants = instantWriter();
  for (let from = 0; from < timestamps.length; from += ROWS_AT_ONCE) {
    const to = Math.min(timestamps.length, from + ROWS_AT_ONCE);
    let part = '';
    for (let row = from; row < to; row++) part += write(instants(timestamps[row] as number), row);
    yield part;
  }
}

const DAY = 86_400_000;

/** Writes instants as ISO 8601. The date is kept from one row to the next: within a day only the time changes. */
function instantWriter(): (time: number) => string {
  let day = Number.NaN;
  let date = '';
  return (time) => {
    const today = Math.floor(time / DAY);
    if (today !== day) {
      day = today;
      date = new Date(today * DAY).toISOString().slice(0, 11);
    }
    const rest = time - today * DAY;
    return rest === 0 ? `${date}00:00:00.000Z` : `${date}${timeOfDay(rest)}`;
  };
}

function timeOfDay(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  const fraction = String(milliseconds - seconds * 1000).padStart(3, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}Z`;
}
