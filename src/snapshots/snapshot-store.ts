import { sql } from 'kysely';
import { HOUR_MS } from '../calendar/index.ts';
import { type Clock, type Database, type Executor, newId, type Transaction } from '../platform/index.ts';
import type { SeriesTable } from './series-source.ts';
import { fromCanonicalForm, pack, type SnapshotContent, toCanonicalForm, unpack } from './snapshot-bytes.ts';
import type { SnapshotTables } from './tables.ts';

export interface Snapshot extends SnapshotContent {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
}

/**
 * How long a snapshot without a holder is kept after its last recorded use: a day, and the two hours by which the record
 * can be late (one hour here, one in the exports).
 */
export const UNUSED_LIFETIME_MS = 26 * HOUR_MS;
/** Reading updates the time of the last use at most this often, so that reads do not become writes. */
const USE_RECORD_INTERVAL_MS = HOUR_MS;

/** What the operations of this folder work with. */
export interface SnapshotContext {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Stores a content as a snapshot. Equal content is stored once and has one id. Every process can read it, until a day
 * after its last use; a caller that needs it longer must hold it.
 *
 * @example const { id } = await freeze(context, { about: { symbol: 'AAPL' }, table });
 */
export async function freeze(context: SnapshotContext, content: SnapshotContent): Promise<Snapshot> {
  const { header, columns, sha256 } = toCanonicalForm(content);
  const rows = content.table.timestamps.length;
  const existing = await recordUse(context, sha256);
  if (existing !== undefined) return { ...content, id: existing, sha256, rows };
  const packed = await pack(columns);
  const now = context.clock.now();
  const { id } = await context.database
    .query<SnapshotTables>()
    .insertInto('snapshot')
    .values({
      id: newId('snap', now.getTime()),
      sha256,
      header,
      rows,
      size: columns.length,
      packed,
      created_at: now,
      last_used_at: now,
    })
    // A concurrent request may have frozen the same content: both get that snapshot.
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ last_used_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...content, id, sha256, rows };
}

/** Returns the snapshot with this id, checked against its digest; null: it does not exist or was removed. */
export async function readSnapshot(context: SnapshotContext, id: string): Promise<Snapshot | null> {
  const found = await context.database
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { sha256, header, rows, size } = found;
  const content = fromCanonicalForm(header, await unpack(Buffer.from(found.packed), size), sha256);
  if (isStale(context, found.last_used_at)) await recordUse(context, sha256);
  return { ...content, id, sha256, rows };
}

/** Returns the description of a snapshot's rows; null: the snapshot does not exist or was removed. */
export async function readSnapshotAbout(executor: Executor, id: string): Promise<SnapshotContent['about'] | null> {
  const found = await executor
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select('header')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined ? null : (JSON.parse(found.header) as SnapshotContent).about;
}

/** Records that a content is in use. Returns its id, if it is stored. */
async function recordUse({ database, clock }: SnapshotContext, sha256: string): Promise<string | undefined> {
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
 * Keeps a snapshot until the holder releases it. Call it in the transaction that creates the holder.
 *
 * @returns false when the snapshot was removed: freeze the rows again
 *
 * @example if (!(await holdSnapshot(tx, snapshot.id, forecast.id))) …
 */
export async function holdSnapshot(tx: Transaction, id: string, holder: string): Promise<boolean> {
  // The row lock makes a concurrent removal wait and then find the holder.
  const { rows } = await sql`
    INSERT INTO snapshot_holder (snapshot_id, holder)
    SELECT id, ${holder} FROM snapshot WHERE id = ${id} FOR KEY SHARE
    ON CONFLICT (snapshot_id, holder) DO UPDATE SET holder = excluded.holder
    RETURNING snapshot_id`.execute(tx.query<SnapshotTables>());
  return rows.length > 0;
}

/** Releases every snapshot of these holders. */
export async function releaseSnapshots(tx: Transaction, holders: readonly string[]): Promise<void> {
  await sql`DELETE FROM snapshot_holder WHERE holder = ANY (${[...holders]}::text[])`.execute(
    tx.query<SnapshotTables>(),
  );
}

/**
 * Returns the values of a table with one column. A forecast reads its input by this rule, when it is created and when it
 * runs: the chosen value is the only column of its snapshot.
 */
export function soleColumn({ columns }: SeriesTable): Float64Array {
  const [column, ...others] = Object.values(columns);
  if (column === undefined || others.length > 0) {
    throw new RangeError(`The table has ${Object.keys(columns).length} columns instead of one.`);
  }
  return column;
}
