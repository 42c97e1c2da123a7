import type { SeriesTable } from '../series-table.ts';
import { csvCell } from './csv-cell.ts';

/** Rows between two looks at whatever else waits: a few milliseconds of work. */
const ROWS_AT_ONCE = 4_000;

/** How the rows of a table are written. */
export interface RowShape {
  /** The columns in the order they are written, each with its head in a CSV file. */
  readonly heads: Readonly<Record<string, string>>;
  /**
   * One row as JSON shows it. A literal object: one whose fields are put together in a loop takes three times as long
   * to write.
   */
  readonly toJson: (timestamp: string, columns: SeriesTable['columns'], row: number) => object;
}

// Both forms have JSON.stringify write the numbers: it does so in half the time that adding up strings takes.

/** The rows of a table as the inside of a JSON array: `{"timestamp":"…","close":1.5},…`. Nothing observed: null. */
export function* renderJson({ timestamps, columns }: SeriesTable, { toJson }: RowShape): Generator<string> {
  const instants = instantWriter();
  for (const { from, to } of inParts(timestamps.length)) {
    const part: object[] = [];
    for (let row = from; row < to; row++) part.push(toJson(instants(timestamps[row] as number), columns, row));
    yield (from === 0 ? '' : ',') + JSON.stringify(part).slice(1, -1);
  }
}

/** Stands for the end of a line among the cells. */
const LINE_END = '|';

/** A table as a CSV file with a line of heads (RFC 4180). Nothing observed: an empty cell. */
export function* renderCsv(table: SeriesTable, { heads }: RowShape): Generator<string> {
  const { timestamps } = table;
  const columns = columnsOf(table, heads);
  const instants = instantWriter();
  yield `${['timestamp', ...Object.values(heads)].map(csvCell).join(',')}\r\n`;
  for (const { from, to } of inParts(timestamps.length)) {
    const cells: unknown[] = [];
    for (let row = from; row < to; row++) {
      cells.push(instants(timestamps[row] as number));
      for (const values of columns) cells.push(values[row]);
      cells.push(LINE_END);
    }
    // Instants and numbers hold none of what is replaced here.
    const lines = JSON.stringify(cells).slice(1, -5).replaceAll(`,"${LINE_END}",`, '\r\n').replaceAll('"', '');
    yield `${lines.replaceAll('null', '')}\r\n`;
  }
}

function columnsOf(table: SeriesTable, heads: RowShape['heads']): Float64Array[] {
  return Object.keys(heads).map((name) => {
    const column = table.columns[name];
    if (column === undefined) throw new RangeError(`The table has no column ${name}.`);
    return column;
  });
}

function* inParts(rows: number) {
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) yield { from, to: Math.min(rows, from + ROWS_AT_ONCE) };
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
