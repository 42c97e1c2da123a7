import { KEPT_UNUSED_MS, type SnapshotContext } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/** Removes what nothing holds and nobody has asked for in a day. @returns how many. */
export async function removeUnusedSnapshots(context: SnapshotContext): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_UNUSED_MS);
  return context.database.transaction(async (tx) => {
    const db = tx.query<SnapshotTables>();
    // Two statements: once the rows are locked nobody can begin to hold them, and the second one sees who did before.
    const old = await db
      .selectFrom('snapshot')
      .select('id')
      .where('last_used_at', '<', before)
      .forUpdate()
      .skipLocked()
      .execute();
    if (old.length === 0) return 0;
    const removed = await db
      .deleteFrom('snapshot')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('snapshot_holder').select('holder').whereRef('snapshot_id', '=', 'snapshot.id'))),
      )
      .returning('id')
      .execute();
    return removed.length;
  });
}
