import { type Executor, listInBatches } from '../../platform/index.ts';
import { requireSameContent } from '../../provenance/index.ts';
import type { DamagedRow } from '../../snapshots/index.ts';
import type { ScoutTables } from '../tables.ts';
import { buildRevisionDocument, PROVEN_EVENT_COLUMNS } from './revision-proof.ts';

/** Rebuilds the proof of every revision of an event and changes nothing. */
export async function checkRevisionProofs(
  executor: Executor,
): Promise<{ readonly checked: number; readonly damaged: readonly DamagedRow[] }> {
  const damaged: DamagedRow[] = [];
  let checked = 0;
  const revisions = listInBatches((after, limit) =>
    executor
      .query<ScoutTables>()
      .selectFrom('event_revision')
      .innerJoin('event_forecast', 'event_forecast.id', 'event_revision.event_id')
      .selectAll('event_revision')
      .select(PROVEN_EVENT_COLUMNS)
      .where('event_revision.id', '>', after)
      .orderBy('event_revision.id')
      .limit(limit)
      .execute(),
  );
  for await (const row of revisions) {
    const { id, content_cid: contentCid, proof_hash: hash, proof_salt: salt } = row;
    if (contentCid === null || hash === null || salt === null) continue;
    checked += 1;
    try {
      requireSameContent(buildRevisionDocument(row, row, { hash, salt }), contentCid);
    } catch (error) {
      damaged.push({ id, problem: (error as Error).message });
    }
  }
  return { checked, damaged };
}
