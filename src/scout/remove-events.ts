import type { Transaction } from '../platform/index.ts';
import { releaseSnapshots } from '../snapshots/index.ts';
import type { ScoutTables } from './tables.ts';

/** Removes every event forecast of a workspace, in the transaction that removes the workspace. */
export async function removeEventsIn(tx: Transaction, workspaceId: string): Promise<void> {
  const removed = await tx
    .query<ScoutTables>()
    .deleteFrom('event_forecast')
    .where('workspace_id', '=', workspaceId)
    .returning('id')
    .execute();
  await releaseSnapshots(
    tx,
    removed.map(({ id }) => id),
  );
}
