import { type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '../calendar/index.ts';
import type { Executor, Transaction } from '../platform/index.ts';
import type { SnapshotContext } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/**
 * Keeps a snapshot until its holder releases it. Call this in the transaction that creates the holder.
 *
 * @returns false if the snapshot was removed; the rows must then be frozen again
 *
 * @example if (!(await holdSnapshot(tx, snapshot.id, forecast.id))) …
 */
export async function holdSnapshot(tx: Transaction, id: string, holder: string): Promise<boolean> {
  // Because of the row lock, a concurrent removal waits and then finds the holder.
  const { rows } = await sql`
    INSERT INTO snapshot_holder (snapshot_id, holder)
    SELECT id, ${holder} FROM snapshot WHERE id = ${id} FOR KEY SHARE
    ON CONFLICT (snapshot_id, holder) DO UPDATE SET holder = excluded.holder
    RETURNING snapshot_id`.execute(tx.query<SnapshotTables>());
  return rows.length > 0;
}

/** Releases one of the snapshots that a holder holds. */
export async function releaseSnapshot(tx: Transaction, id: string, holder: string): Promise<void> {
  await sql`DELETE FROM snapshot_holder WHERE snapshot_id = ${id} AND holder = ${holder}`.execute(
    tx.query<SnapshotTables>(),
  );
}

/** Releases all snapshots that these holders hold. */
export async function releaseSnapshots(tx: Transaction, holders: readonly string[]): Promise<void> {
  await sql`DELETE FROM snapshot_holder WHERE holder = ANY (${[...holders]}::text[])`.execute(
    tx.query<SnapshotTables>(),
  );
}

/**
 * Returns the stored bytes of snapshots. A snapshot that is selected several times is counted once.
 *
 * @param ids a statement that selects the ids of the snapshots
 */
export async function countSnapshotBytes(executor: Executor, ids: RawBuilder<unknown>): Promise<number> {
  const { bytes } = await executor
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select(storedBytes)
    .where(sql<boolean>`id IN (${ids})`)
    .executeTakeFirstOrThrow();
  return bytes;
}

const storedBytes = sql<number>`coalesce(sum(coalesce(packed_bytes, octet_length(packed))), 0)::float8`.as('bytes');

/**
 * How long a snapshot without a holder is kept after its last recorded use: a day, plus the two hours by which the
 * record can be late (one hour in the store, one in the exports).
 */
const UNUSED_LIFETIME_MS = 26 * HOUR_MS;
/** The total size of snapshots without a holder above which the least recently used are removed early. */
const MAX_UNHELD_BYTES = 1024 ** 3;
/**
 * The number of snapshots removed in one transaction. The transaction blocks every other statement of the embedded
 * database.
 */
const BATCH = 500;

/**
 * Removes snapshots without a holder that were not used for a day. If the remaining ones exceed `maxBytes`, removes the
 * least recently used.
 *
 * @returns how many were removed
 */
export async function removeUnusedSnapshots(
  context: SnapshotContext,
  { maxBytes = MAX_UNHELD_BYTES }: { readonly maxBytes?: number } = {},
): Promise<number> {
  const before = new Date(context.clock.now().getTime() - UNUSED_LIFETIME_MS);
  let removed = 0;
  for (let batch = BATCH; batch === BATCH; removed += batch) batch = await removeBatch(context, before);
  for (let batch = BATCH; batch > 0 && (await unheldBytes(context)) > maxBytes; removed += batch) {
    batch = await removeBatch(context, context.clock.now());
  }
  return removed;
}

function removeBatch({ database }: SnapshotContext, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const db = tx.query<SnapshotTables>();
    // Two statements are needed: after the first has locked the rows, no holder can be added, and the second sees all
    // holders that were added before.
    const old = await db
      .selectFrom('snapshot')
      .select('id')
      .where('last_used_at', '<', before)
      .where(isUnheld)
      .orderBy('last_used_at')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    return (await db.deleteFrom('snapshot').where('id', 'in', ids).where(isUnheld).returning('id').execute()).length;
  });
}

async function unheldBytes({ database }: SnapshotContext): Promise<number> {
  const { bytes } = await database
    .query<SnapshotTables>()
    .selectFrom('snapshot')
    .select(storedBytes)
    .where(isUnheld)
    .executeTakeFirstOrThrow();
  return bytes;
}

const isUnheld = sql<boolean>`NOT EXISTS (SELECT 1 FROM snapshot_holder WHERE snapshot_id = snapshot.id)`;
