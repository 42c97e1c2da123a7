import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import type { SeriesTable } from '../series-source.ts';

/**
 * The number of rows in one part. Rendering a part takes a few milliseconds, and other work can run after each part.
 */
const ROWS_PER_PART = 4_000;

/** The columns to write, in order, each with its heading. */
export type ColumnHeadings = Readonly<Record<string, string>>;

/** The bytes between which the timestamp and the numbers of a row are written. */
interface Frame {
  readonly start: Buffer;
  /** The bytes before each number. */
  readonly before: readonly Buffer[];
  readonly end: Buffer;
  /** Whether a missing value is written as null; otherwise it is left empty. */
  readonly writesNull: boolean;
}

/** Renders rows as the elements of a JSON array: `{"timestamp":"…","close":1.5},…`. A missing value is null. */
export function* renderJson(table: SeriesTable, headings: ColumnHeadings): Generator<Buffer> {
  const frame = {
    start: Buffer.from(',{"timestamp":"'),
    before: Object.values(headings).map((name, i) => Buffer.from(`${i === 0 ? '",' : ','}${JSON.stringify(name)}:`)),
    end: Buffer.from('}'),
    writesNull: true,
  };
  let isFirst = true;
  for (const part of renderParts(table, headings, frame)) {
    // The first row has no comma before it.
    yield isFirst ? part.subarray(1) : part;
    isFirst = false;
  }
}

/** Renders a table as a CSV file (RFC 4180) with a header line. A missing value is an empty cell. */
export function* renderCsv(table: SeriesTable, headings: ColumnHeadings): Generator<Buffer> {
  yield Buffer.from(`${['timestamp', ...Object.values(headings)].map(csvCell).join(',')}\r\n`);
  const comma = Buffer.from(',');
  const before = Object.keys(headings).map(() => comma);
  yield* renderParts(table, headings, { start: Buffer.alloc(0), before, end: Buffer.from('\r\n'), writesNull: false });
}

function* renderParts(table: SeriesTable, headings: ColumnHeadings, frame: Frame): Generator<Buffer> {
  const columns = Object.keys(headings).map((name) => {
    const column = table.columns[name];
    if (column === undefined) throw new RangeError(`The table has no column ${name}.`);
    return column;
  });
  const writeInstant = instantWriter();
  // All parts share one buffer, because a new buffer for each part would trigger the garbage collector.
  const scratch = Buffer.allocUnsafe(
    Math.min(ROWS_PER_PART, table.timestamps.length) * columns.length * MAX_NUMBER_BYTES + 2,
  );
  for (let from = 0; from < table.timestamps.length; from += ROWS_PER_PART) {
    const timestamps = table.timestamps.subarray(from, from + ROWS_PER_PART);
    const numbers = writeNumbers(scratch, columns, from, timestamps.length);
    yield renderPart(timestamps, numbers, frame, writeInstant);
  }
}

/** The length of `-1.2345678901234567e-300` and a comma. */
const MAX_NUMBER_BYTES = 25;

/**
 * Writes the numbers of some rows, row by row, separated by commas. JSON.stringify is the fastest way to do so, and
 * does not allocate an object for each number of an array.
 */
function writeNumbers(scratch: Buffer, columns: readonly Float64Array[], from: number, rows: number): Buffer {
  const numbers: number[] = [];
  for (let row = from; row < from + rows; row++) {
    for (let i = 0; i < columns.length; i++) numbers.push((columns[i] as Float64Array)[row] as number);
  }
  return scratch.subarray(1, scratch.write(JSON.stringify(numbers), 'latin1'));
}

const N_OF_NULL = 0x6e;
const COMMA = 0x2c;
const BRACKET = 0x5d;

function renderPart(
  timestamps: Float64Array,
  numbers: Buffer,
  { start, before, end, writesNull }: Frame,
  writeInstant: ReturnType<typeof instantWriter>,
): Buffer {
  const around = start.length + INSTANT_BYTES + end.length + before.reduce((sum, { length }) => sum + length, 0);
  const into = Buffer.allocUnsafe(numbers.length + timestamps.length * around);
  let to = 0;
  let at = 0;
  const copy = (bytes: Buffer): void => {
    for (let i = 0; i < bytes.length; i++) into[to++] = bytes[i] as number;
  };
  for (let row = 0; row < timestamps.length; row++) {
    copy(start);
    writeInstant(into, to, timestamps[row] as number);
    to += INSTANT_BYTES;
    for (let column = 0; column < before.length; column++) {
      copy(before[column] as Buffer);
      const isWritten = writesNull || numbers[at] !== N_OF_NULL;
      for (let byte = numbers[at++] as number; byte !== COMMA && byte !== BRACKET; byte = numbers[at++] as number) {
        if (isWritten) into[to++] = byte;
      }
    }
    copy(end);
  }
  return into.subarray(0, to);
}

const ZERO = 0x30;
/** The length of `2024-01-31T09:30:00.000Z`. */
const INSTANT_BYTES = 24;

/**
 * Returns a function that writes instants as ISO 8601 into a buffer. It remembers the date and the time of day of the
 * previous row, and formats only what has changed.
 */
function instantWriter(): (into: Buffer, at: number, time: number) => void {
  let day = Number.NaN;
  let minute = Number.NaN;
  const text = Buffer.from('0000-00-00T00:00:00.000Z');
  const twoDigits = (at: number, value: number): void => {
    const tens = Math.floor(value / 10);
    text[at] = ZERO + tens;
    text[at + 1] = ZERO + value - 10 * tens;
  };
  return (into, at, time) => {
    const today = Math.floor(time / DAY_MS);
    if (today !== day) {
      day = today;
      text.write(new Date(today * DAY_MS).toISOString().slice(0, 11), 'latin1');
    }
    const thisMinute = Math.floor((time - today * DAY_MS) / MINUTE_MS);
    if (thisMinute !== minute) {
      minute = thisMinute;
      const hour = Math.floor(thisMinute / 60);
      twoDigits(11, hour);
      twoDigits(14, thisMinute - 60 * hour);
    }
    const rest = time - today * DAY_MS - thisMinute * MINUTE_MS;
    const seconds = Math.floor(rest / 1000);
    twoDigits(17, seconds);
    const hundredths = Math.floor((rest - 1000 * seconds) / 10);
    twoDigits(20, hundredths);
    text[22] = ZERO + (rest - 1000 * seconds - 10 * hundredths);
    for (let i = 0; i < INSTANT_BYTES; i++) into[at + i] = text[i] as number;
  };
}

/**
 * Matches the start of a string that a spreadsheet reads as a formula, possibly after blanks. The wide characters come
 * from East Asian keyboards.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;
/** Matches the same start after a character at which a spreadsheet with other settings splits the line. */
const LATER_FORMULA = /(?<=[;|\t\r\n])(?=["\s\p{Cf}]*[=+\-@＝＋－＠])/gu;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Returns a string as a cell of a CSV file (RFC 4180). Puts an apostrophe before each part that a spreadsheet would run
 * as a formula, even if it splits lines at semicolons, bars or tabs. A number, even a negative one, does not change.
 *
 * @example csvCell('=SUM(A1)') // '=SUM(A1)
 * @example csvCell('x;=SUM(A1)') // x;'=SUM(A1)
 * @example csvCell('-1.5') // -1.5
 */
export function csvCell(text: string): string {
  if (NUMBER.test(text)) return text;
  const safe = text.replace(LATER_FORMULA, "'");
  return quoteCell(FORMULA.test(safe) ? `'${safe}` : safe);
}

/**
 * Formats a number as a CSV cell. Unlike `csvCell`, never adds an apostrophe, whatever the notation of the number.
 *
 * @example numberCell('-1,5') // "-1,5"
 */
export function numberCell(text: string): string {
  return quoteCell(text);
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
