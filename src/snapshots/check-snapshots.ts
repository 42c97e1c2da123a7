import { Fault } from '../contract/index.ts';
import { type Executor, listInBatches } from '../platform/index.ts';
import { loadSnapshot } from './snapshot-store.ts';
import type { SnapshotTables } from './tables.ts';

/** A row whose content is not what was stored. */
export interface DamagedRow {
  readonly id: string;
  readonly problem: string;
}

/** Checks the digest of every snapshot. It reads one snapshot at a time and changes nothing. */
export async function checkSnapshots(
  executor: Executor,
): Promise<{ readonly checked: number; readonly damaged: readonly DamagedRow[] }> {
  const damaged: DamagedRow[] = [];
  let checked = 0;
  const batches = listInBatches((after, limit) =>
    executor
      .query<SnapshotTables>()
      .selectFrom('snapshot')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id } of batches) {
    checked += 1;
    try {
      await loadSnapshot(executor, id);
    } catch (error) {
      // The object storage does not respond or is not configured, so the snapshot may be sound.
      if (error instanceof Fault) throw error;
      damaged.push({ id, problem: `The snapshot cannot be read: ${(error as Error).message}` });
    }
  }
  return { checked, damaged };
}
