import type { ForecastRow } from '../../../src/forecasts/find-forecast.ts';
import { buildForecastProof } from '../../../src/forecasts/forecast-proof.ts';
import type { ForecastTables } from '../../../src/forecasts/tables.ts';
import { type Database, systemClock } from '../../../src/platform/index.ts';
import { contentId } from '../../../src/provenance/index.ts';
import { readSnapshot } from '../../../src/snapshots/index.ts';

/** Gives a completed forecast that was copied from another one the content id of its own proof. An id without a forecast is ignored. */
export async function sealForecast(database: Database, id: string): Promise<void> {
  const db = database.query<ForecastTables>();
  const row: ForecastRow | undefined = await db
    .selectFrom('forecast')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return;
  const { result, fingerprint, finished_at, proof_hash: hash, proof_salt: salt } = row;
  const snapshot = await readSnapshot({ database, clock: systemClock }, row.snapshot_id);
  if (result === null || fingerprint === null || finished_at === null || snapshot === null) {
    throw new Error(`The forecast ${id} has not completed.`);
  }
  const seal = hash === null || salt === null ? undefined : { hash, salt };
  const content_cid = contentId(buildForecastProof({ ...row, result, fingerprint, finished_at }, snapshot, seal));
  await db.updateTable('forecast').set({ content_cid }).where('id', '=', id).execute();
}
