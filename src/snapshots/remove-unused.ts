import { sql } from 'kysely';
import { type SnapshotContext, UNUSED_LIFETIME_MS } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/** Bytes of snapshots without a holder. Above it, the least recently used are removed before their time. */
export const MAX_UNHELD_BYTES = 1024 ** 3;
/** Snapshots removed in one transaction, which blocks every other statement of the embedded database. */
const BATCH = 500;

/**
 * Removes snapshots without a holder that were not used for a day, and more if the rest exceeds `maxBytes`.
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
    // Two statements: no holder can be added once the rows are locked, and the second one sees holders added before.
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
    .select(sql<number>`coalesce(sum(octet_length(packed)), 0)::float8`.as('bytes'))
    .where(isUnheld)
    .executeTakeFirstOrThrow();
  return bytes;
}

const isUnheld = sql<boolean>`NOT EXISTS (SELECT 1 FROM snapshot_holder WHERE snapshot_id = snapshot.id)`;
