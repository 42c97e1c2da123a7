import { sql } from 'kysely';
import { KEPT_UNUSED_MS, type SnapshotContext } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/** Bytes of snapshots that nothing holds: beyond, the least recently used go before their time. */
export const MAX_UNHELD_BYTES = 1024 ** 3;
/** Snapshots removed in one transaction, during which the embedded database serves nobody else. */
const BATCH = 500;

/**
 * Removes what nothing holds and nobody has asked for in a day, and more if what is left takes too much room.
 * @returns how many.
 */
export async function removeUnusedSnapshots(
  context: SnapshotContext,
  { mostBytes = MAX_UNHELD_BYTES }: { readonly mostBytes?: number } = {},
): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_UNUSED_MS);
  let removed = 0;
  for (let batch = BATCH; batch === BATCH; removed += batch) batch = await removeBatch(context, before);
  for (let batch = BATCH; batch > 0 && (await unheldBytes(context)) > mostBytes; removed += batch) {
    batch = await removeBatch(context, context.clock.now());
  }
  return removed;
}

function removeBatch({ database }: SnapshotContext, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const db = tx.query<SnapshotTables>();
    // Two statements: once the rows are locked nobody can begin to hold them, and the second one sees who did before.
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
