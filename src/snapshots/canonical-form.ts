import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { canonicalJson } from '../engine/index.ts';
import type { SeriesTable } from './series-table.ts';

/** What is frozen: rows, and what they are, as plain JSON. */
export interface SnapshotContent {
  readonly about: Readonly<Record<string, unknown>>;
  readonly table: SeriesTable;
}

export interface CanonicalSnapshot {
  /** JSON in one spelling: what the rows are, the names of the columns in order, the number of rows. */
  readonly header: string;
  /** Every column after the other, timestamps first: doubles of eight bytes, the lowest byte first. */
  readonly columns: Buffer;
  /** Of header, a line break and columns, in hexadecimal digits: equal content has an equal one. */
  readonly sha256: string;
}

const FORM = 1;
const DOUBLE = 8;

/** The one byte form of a content. Throws a RangeError for a table that is none. */
export function toCanonicalForm({ about, table }: SnapshotContent): CanonicalSnapshot {
  const names = Object.keys(table.columns);
  const rows = checkedRows(table);
  const header = canonicalJson({ form: FORM, about, columns: names, rows });
  const columns = Buffer.alloc((names.length + 1) * rows * DOUBLE);
  writeColumn(columns, 0, table.timestamps);
  names.forEach((name, i) => {
    writeColumn(columns, (i + 1) * rows * DOUBLE, table.columns[name] as Float64Array);
  });
  return { header, columns, sha256: digest(header, columns) };
}

/** The content of a canonical form. Throws when its digest is not the expected one: something has changed it. */
export function fromCanonicalForm(header: string, columns: Buffer, sha256: string): SnapshotContent {
  if (digest(header, columns) !== sha256)
    throw new Error(`A snapshot is not what it was: its digest is not ${sha256}.`);
  const { about, columns: names, rows } = JSON.parse(header) as { about: object; columns: string[]; rows: number };
  const readColumn = (index: number): Float64Array => {
    const from = columns.byteOffset + index * rows * DOUBLE;
    // Seen in place where that is possible: a long series is read to be written out once.
    if (!IS_BIG_ENDIAN && from % DOUBLE === 0) return new Float64Array(columns.buffer, from, rows);
    const bytes = new Uint8Array(columns.buffer.slice(from, from + rows * DOUBLE));
    if (IS_BIG_ENDIAN) swapBytes(bytes);
    return new Float64Array(bytes.buffer);
  };
  return {
    about: about as SnapshotContent['about'],
    table: {
      timestamps: readColumn(0),
      columns: Object.fromEntries(names.map((name, i) => [name, readColumn(i + 1)])),
    },
  };
}

function digest(header: string, columns: Buffer): string {
  return createHash('sha256').update(header).update('\n').update(columns).digest('hex');
}

function checkedRows({ timestamps, columns }: SeriesTable): number {
  for (let i = 0; i < timestamps.length; i++) {
    const before = i === 0 ? Number.NEGATIVE_INFINITY : (timestamps[i - 1] as number);
    if (!((timestamps[i] as number) > before)) throw new RangeError(`Row ${i} does not come after the row before it.`);
  }
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== timestamps.length) {
      throw new RangeError(`Column ${name} has ${column.length} rows, not ${timestamps.length}.`);
    }
  }
  return timestamps.length;
}

const IS_BIG_ENDIAN = endianness() === 'BE';

function writeColumn(into: Buffer, at: number, column: Float64Array): void {
  // A copy with one spelling of NaN and of zero, so that equal rows have equal bytes.
  const values = column.map((value) => (Number.isNaN(value) ? Number.NaN : value === 0 ? 0 : value));
  const bytes = new Uint8Array(values.buffer);
  if (IS_BIG_ENDIAN) swapBytes(bytes);
  into.set(bytes, at);
}

function swapBytes(bytes: Uint8Array): void {
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).swap64();
}
