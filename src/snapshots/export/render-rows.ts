import type { SeriesTable } from '../series-table.ts';
import { csvCell } from './csv-cell.ts';
import { INSTANT_BYTES, instantWriter } from './instant-bytes.ts';

/** Rows between two looks at whatever else waits: a few milliseconds of work. */
const ROWS_AT_ONCE = 4_000;

/** The columns to write, in order, each with the name it is written under. */
export type Heads = Readonly<Record<string, string>>;

/** What stands around the instant and the numbers of a row. */
interface Frame {
  readonly start: Buffer;
  /** Before each number. */
  readonly before: readonly Buffer[];
  readonly end: Buffer;
  /** Whether a value that was not observed is written as null; otherwise nothing is. */
  readonly writesNull: boolean;
}

/** The rows of a table as the inside of a JSON array: `{"timestamp":"…","close":1.5},…`. Nothing observed: null. */
export function* renderJson(table: SeriesTable, heads: Heads): Generator<Buffer> {
  const frame = {
    start: Buffer.from(',{"timestamp":"'),
    before: Object.values(heads).map((name, i) => Buffer.from(`${i === 0 ? '",' : ','}${JSON.stringify(name)}:`)),
    end: Buffer.from('}'),
    writesNull: true,
  };
  let isFirst = true;
  for (const part of renderParts(table, heads, frame)) {
    // Nothing stands before the first row.
    yield isFirst ? part.subarray(1) : part;
    isFirst = false;
  }
}

/** A table as a CSV file with a line of heads (RFC 4180). Nothing observed: an empty cell. */
export function* renderCsv(table: SeriesTable, heads: Heads): Generator<Buffer> {
  yield Buffer.from(`${['timestamp', ...Object.values(heads)].map(csvCell).join(',')}\r\n`);
  const comma = Buffer.from(',');
  const before = Object.keys(heads).map(() => comma);
  yield* renderParts(table, heads, { start: Buffer.alloc(0), before, end: Buffer.from('\r\n'), writesNull: false });
}

function* renderParts(table: SeriesTable, heads: Heads, frame: Frame): Generator<Buffer> {
  const columns = Object.keys(heads).map((name) => {
    const column = table.columns[name];
    if (column === undefined) throw new RangeError(`The table has no column ${name}.`);
    return column;
  });
  const writeInstant = instantWriter();
  // One for all parts: a new one for each would have the garbage collector run.
  const scratch = Buffer.allocUnsafe(
    Math.min(ROWS_AT_ONCE, table.timestamps.length) * columns.length * LONGEST_NUMBER + 2,
  );
  for (let from = 0; from < table.timestamps.length; from += ROWS_AT_ONCE) {
    const timestamps = table.timestamps.subarray(from, from + ROWS_AT_ONCE);
    const numbers = writeNumbers(scratch, columns, from, timestamps.length);
    yield renderPart(timestamps, numbers, frame, writeInstant);
  }
}

/** `-1.2345678901234567e-300`, and a comma. */
const LONGEST_NUMBER = 25;

/**
 * The numbers of some rows, one row after the other, with commas between them. JSON.stringify writes them: it is the
 * fastest there is, and given nothing but doubles it makes no object for each.
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
