import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Insertable } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../calendar/index.ts';
import { canonicalJson, Fault } from '../contract/index.ts';
import {
  type Clock,
  type Database,
  type Executor,
  insertParts,
  newId,
  placeBytes,
  readPlaced,
  retry,
} from '../platform/index.ts';
import type { SeriesTable } from './series-source.ts';
import type { SnapshotTable, SnapshotTables } from './tables.ts';

/** The content of a snapshot: rows, and their description as plain JSON. */
export interface SnapshotContent {
  readonly about: Readonly<Record<string, unknown>>;
  readonly table: SeriesTable;
}

export interface Snapshot extends SnapshotContent {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
}

/** The shortest time between two updates of the last use, so that not every read causes a write. */
const USE_RECORD_INTERVAL_MS = HOUR_MS;

/** The dependencies of this room's operations. */
export interface SnapshotContext {
  readonly database: Database;
  readonly clock: Clock;
}

/** Where a snapshot is stored: the database, or a transaction. */
interface FreezeContext {
  readonly database: Executor;
  readonly clock: Clock;
}

/**
 * Stores content as a snapshot. Equal content is stored once and has one id. Every process can read the snapshot until
 * a day after its last use; a caller that needs it longer must hold it.
 *
 * @example const { id } = await freeze(context, { about: { symbol: 'AAPL' }, table });
 */
export async function freeze(context: FreezeContext, content: SnapshotContent): Promise<Snapshot> {
  const { header, columns, sha256 } = toCanonicalForm(content);
  const rows = content.table.timestamps.length;
  const existing = await recordUse(context, sha256);
  if (existing !== undefined) return { ...content, id: existing, sha256, rows };
  const now = context.clock.now();
  const { parts, ...placed } = await placeBytes(context.database, 'snapshots', await pack(columns), now);
  const id = newId('snap', now.getTime());
  const values = { id, sha256, header, rows, size: columns.length, ...placed, created_at: now, last_used_at: now };
  if (parts.length === 0) return { ...content, id: await insertSnapshot(context.database, values), sha256, rows };
  const stored = await inTransaction(context.database, async (tx) => {
    const inserted = await insertSnapshot(tx, values);
    if (inserted === id) await insertParts(tx, id, parts, now);
    return inserted;
  });
  return { ...content, id: stored, sha256, rows };
}

/** Returns the id of the new snapshot, or of one with the same content that a concurrent request has frozen. */
async function insertSnapshot(executor: Executor, values: Insertable<SnapshotTable>): Promise<string> {
  const { id } = await executor
    .query<SnapshotTables>()
    .insertInto('snapshot')
    .values(values)
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ last_used_at: values.last_used_at }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Runs `work` in a transaction: in a new one, unless the executor is one. */
function inTransaction<Result>(executor: Executor, work: (tx: Executor) => Promise<Result>): Promise<Result> {
  return 'transaction' in executor ? (executor as Database).transaction(work) : work(executor);
}

/**
 * Returns the snapshot with this id, after checking its digest; null if it does not exist or was removed.
 *
 * @param id null for a snapshot that is known to be removed
 */
export async function readSnapshot(context: SnapshotContext, id: string | null): Promise<Snapshot | null> {
  const found = id === null ? null : await loadSnapshot(context.database, id);
  if (found === null) return null;
  const { lastUsed, ...snapshot } = found;
  if (isStale(context, lastUsed)) await recordUse(context, snapshot.sha256);
  return snapshot;
}

/** Returns a snapshot as `readSnapshot` does, but does not record that it was used. */
export async function loadSnapshot(executor: Executor, id: string): Promise<(Snapshot & { lastUsed: Date }) | null> {
  const found = await readPlaced(
    executor,
    () => executor.query<SnapshotTables>().selectFrom('snapshot').selectAll().where('id', '=', id).executeTakeFirst(),
    (row) => row.id,
  );
  if (found === null) return null;
  const { sha256, header, rows, size, last_used_at: lastUsed } = found.row;
  const content = fromCanonicalForm(header, await unpack(Buffer.from(found.bytes), size), sha256);
  return { ...content, id, sha256, rows, lastUsed };
}

const MAX_WAIT_MS = 2 * MINUTE_MS;
const PAUSE_MS = 2_000;

/** Reads a snapshot like `readSnapshot`, but waits for two minutes if the object storage does not respond. */
export function readPatiently(context: SnapshotContext, id: string | null, signal: AbortSignal) {
  const end = performance.now() + MAX_WAIT_MS;
  const delayAfter = (error: unknown): number => {
    if (error instanceof Fault && error.code === 'UNAVAILABLE' && performance.now() < end) return PAUSE_MS;
    throw error;
  };
  return retry(() => readSnapshot(context, id), { signal, delayAfter });
}

/** Returns the description of a snapshot's rows; null if the snapshot does not exist or was removed. */
export async function readSnapshotAbout(executor: Executor, id: string): Promise<SnapshotContent['about'] | null> {
  const found = await executor
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select('header')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined ? null : (JSON.parse(found.header) as SnapshotContent).about;
}

/** Records the use of content. Returns the id of its snapshot, if it is stored. */
async function recordUse({ database, clock }: FreezeContext, sha256: string): Promise<string | undefined> {
  const found = await database
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select(['id', 'last_used_at'])
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (found === undefined || !isStale({ clock }, found.last_used_at)) return found?.id;
  const touched = await database
    .query<SnapshotTables>()
    .updateTable('snapshot')
    .set({ last_used_at: clock.now() })
    .where('id', '=', found.id)
    .returning('id')
    .executeTakeFirst();
  return touched?.id;
}

function isStale({ clock }: Pick<SnapshotContext, 'clock'>, lastUsed: Date): boolean {
  return clock.now().getTime() - lastUsed.getTime() >= USE_RECORD_INTERVAL_MS;
}

/**
 * Returns the values of a table that has one column. A forecast reads its input with this function when it is created
 * and when it runs, because the chosen value is the only column of its snapshot.
 */
export function soleColumn({ columns }: SeriesTable): Float64Array {
  const [column, ...others] = Object.values(columns);
  if (column === undefined || others.length > 0) {
    throw new RangeError(`The table has ${Object.keys(columns).length} columns instead of one.`);
  }
  return column;
}

interface CanonicalSnapshot {
  /** Canonical JSON with the description of the rows, the names of the columns in order, and the number of rows. */
  readonly header: string;
  /** The columns one after the other, timestamps first, as little-endian doubles. */
  readonly columns: Buffer;
  /** The digest of the header, a line break and the columns, in hexadecimal. Equal content has the same digest. */
  readonly sha256: string;
}

const FORM = 1;
const DOUBLE_BYTES = 8;

/** Returns the canonical form of content. Throws a RangeError for an invalid table. */
export function toCanonicalForm({ about, table }: SnapshotContent): CanonicalSnapshot {
  const names = Object.keys(table.columns);
  const rows = countValidRows(table);
  const header = canonicalJson({ form: FORM, about, columns: names, rows });
  const columns = Buffer.alloc((names.length + 1) * rows * DOUBLE_BYTES);
  writeColumn(columns, 0, table.timestamps);
  names.forEach((name, i) => {
    writeColumn(columns, (i + 1) * rows * DOUBLE_BYTES, table.columns[name] as Float64Array);
  });
  return { header, columns, sha256: digest(header, columns) };
}

/**
 * Restores content from its canonical form. Throws if the digest does not match, because the content was then changed
 * after it was stored.
 */
export function fromCanonicalForm(header: string, columns: Buffer, sha256: string): SnapshotContent {
  if (digest(header, columns) !== sha256)
    throw new Error(`A snapshot was changed after it was stored: its digest is not ${sha256}.`);
  const { about, columns: names, rows } = JSON.parse(header) as { about: object; columns: string[]; rows: number };
  const readColumn = (index: number): Float64Array => {
    const from = columns.byteOffset + index * rows * DOUBLE_BYTES;
    // Returns a view if possible, because copying a long series that is read only once would be wasteful.
    if (!IS_BIG_ENDIAN && from % DOUBLE_BYTES === 0) return new Float64Array(columns.buffer, from, rows);
    const bytes = new Uint8Array(columns.buffer.slice(from, from + rows * DOUBLE_BYTES));
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

function countValidRows({ timestamps, columns }: SeriesTable): number {
  for (let i = 0; i < timestamps.length; i++) {
    const before = i === 0 ? Number.NEGATIVE_INFINITY : (timestamps[i - 1] as number);
    if (!((timestamps[i] as number) > before)) throw new RangeError(`Row ${i} is not later than the row before it.`);
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
  // A copy in which all NaN and all zeros have the same bytes, so that equal rows have equal bytes.
  const values = column.map((value) => (Number.isNaN(value) ? Number.NaN : value === 0 ? 0 : value));
  const bytes = new Uint8Array(values.buffer);
  if (IS_BIG_ENDIAN) swapBytes(bytes);
  into.set(bytes, at);
}

function swapBytes(bytes: Uint8Array): void {
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).swap64();
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/**
 * Compresses columns of doubles in another thread. The first bytes of all doubles are stored first, then all second
 * bytes, and so on. Adjacent prices have the same high bytes, and runs of equal bytes compress well.
 */
export async function pack(columns: Buffer): Promise<Buffer> {
  return compress(splitDoubles(columns), COMPRESSION);
}

export async function unpack(packed: Buffer, size: number): Promise<Buffer> {
  // Without the limit, a few damaged bytes could make the decompression allocate all available memory.
  const grouped = await decompress(packed, { maxOutputLength: Math.max(1, size) });
  if (grouped.length !== size) throw new Error(`A snapshot unpacked to ${grouped.length} bytes instead of ${size}.`);
  return joinDoubles(grouped);
}

function splitDoubles(doubles: Buffer): Buffer {
  const count = doubles.length / DOUBLE_BYTES;
  const grouped = Buffer.allocUnsafeSlow(doubles.length);
  for (let i = 0; i < doubles.length; i++)
    grouped[(i % DOUBLE_BYTES) * count + Math.floor(i / DOUBLE_BYTES)] = doubles[i] as number;
  return grouped;
}

function joinDoubles(grouped: Buffer): Buffer {
  const count = grouped.length / DOUBLE_BYTES;
  // Not allocated from Node's pool, whose buffers may not be aligned for doubles.
  const doubles = Buffer.allocUnsafeSlow(grouped.length);
  const group = Array.from({ length: DOUBLE_BYTES }, (_, i) => grouped.subarray(i * count, (i + 1) * count));
  const [a, b, c, d, e, f, g, h] = group as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  // Unrolled, because a loop over the eight bytes takes four times as long.
  for (let i = 0, to = 0; i < count; i++) {
    doubles[to++] = a[i] as number;
    doubles[to++] = b[i] as number;
    doubles[to++] = c[i] as number;
    doubles[to++] = d[i] as number;
    doubles[to++] = e[i] as number;
    doubles[to++] = f[i] as number;
    doubles[to++] = g[i] as number;
    doubles[to++] = h[i] as number;
  }
  return doubles;
}
