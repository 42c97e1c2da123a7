import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';

/** A payer whose counted bytes differ from what it stores. */
export interface MiscountedPayer {
  readonly payer: string;
  readonly counted: number;
  readonly stored: number;
}

/**
 * Returns the payers whose counted bytes differ from the sum of their snapshots, results and files; none if the counts
 * are right. It can run while the service runs, because one statement reads a consistent state of the database.
 */
export async function checkStorage(executor: Executor): Promise<readonly MiscountedPayer[]> {
  const { rows } = await sql<MiscountedPayer>`
    WITH counted_forecast AS (
      SELECT coalesce(workspace_id, owner) AS payer, bytes, snapshot_id FROM forecast
      UNION ALL SELECT guest_network, bytes, snapshot_id FROM forecast WHERE guest_network IS NOT NULL
    ), item AS (
      SELECT payer, bytes::bigint FROM counted_forecast
      UNION ALL
      SELECT payer, coalesce(packed_bytes, octet_length(packed)) + octet_length(header)
      FROM (SELECT DISTINCT payer, snapshot_id FROM counted_forecast) AS used
      JOIN snapshot ON snapshot.id = used.snapshot_id
      UNION ALL
      SELECT workspace_id, bytes FROM csv_file WHERE ready_at IS NOT NULL
    ), stored AS (
      SELECT payer, sum(bytes) AS bytes FROM item GROUP BY payer
    )
    SELECT payer, coalesce(stored_bytes.bytes, 0)::float8 AS counted, coalesce(stored.bytes, 0)::float8 AS stored
    FROM stored_bytes FULL JOIN stored USING (payer)
    WHERE coalesce(stored_bytes.bytes, 0) <> coalesce(stored.bytes, 0)
    ORDER BY payer`.execute(executor.query());
  return rows;
}
