import { sql } from 'kysely';
import type { ForecastResult } from '../../src/engine/index.ts';
import type { Database } from '../../src/platform/index.ts';

export interface StoredForecast {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly code: string | null;
  readonly result: ForecastResult | null;
  readonly result_sha256: string | null;
  readonly content_cid: string | null;
  readonly attempt: number;
  readonly events: readonly { readonly number: number; readonly kind: string }[];
}

export async function readStoredForecasts(database: Database, owner: string): Promise<StoredForecast[]> {
  const { rows } = await sql<StoredForecast>`
    SELECT id, title, status, error ->> 'code' AS code, result, result_sha256, content_cid, attempt, (
      SELECT json_agg(json_build_object('number', number, 'kind', kind) ORDER BY number)
      FROM forecast_event WHERE forecast_id = forecast.id
    ) AS events
    FROM forecast WHERE owner = ${owner} ORDER BY created_at`.execute(database.query());
  return rows;
}

/** Counts the queue entries that are not completed although every forecast has ended. */
export async function countOpenEntries(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM queue.job
    WHERE name LIKE 'forecasts%' AND state IN ('created', 'retry', 'active')`.execute(database.query());
  return rows[0]?.count ?? 0;
}
