import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalResult } from '../engine/index.ts';
import { type Executor, listInBatches } from '../platform/index.ts';
import { type DamagedRow, loadSnapshot } from '../snapshots/index.ts';
import type { ForecastRow } from './find-forecast.ts';
import { rebuildProof } from './forecast-proof.ts';
import { DEAD_LETTER_QUEUE, UNVERSIONED_QUEUE } from './forecast-queues.ts';
import type { ForecastTables } from './tables.ts';

/**
 * Checks the digest of every result and rebuilds every proof whose snapshot is kept. It reads one forecast at a time and
 * changes nothing.
 */
export async function checkForecastProofs(
  executor: Executor,
): Promise<{ readonly checked: number; readonly damaged: readonly DamagedRow[] }> {
  const damaged: DamagedRow[] = [];
  let checked = 0;
  const ids = listInBatches((after, limit) =>
    executor
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select('id')
      .where('status', '=', 'completed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id } of ids) {
    const row = await executor
      .query<ForecastTables>()
      .selectFrom('forecast')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    // Removed meanwhile.
    if (row === undefined) continue;
    checked += 1;
    const problem = await findProblem(executor, row);
    if (problem !== null) damaged.push({ id, problem });
  }
  return { checked, damaged };
}

async function findProblem(executor: Executor, row: ForecastRow): Promise<string | null> {
  try {
    if (row.result !== null && row.result_sha256 !== null && hashOf(row.result) !== row.result_sha256)
      return `The stored result of the forecast ${row.id} has changed: its digest is not ${row.result_sha256}.`;
    if (row.snapshot_id !== null)
      await rebuildProof(row, async (id) => (id === null ? null : loadSnapshot(executor, id)));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function hashOf(result: NonNullable<ForecastRow['result']>): string {
  return createHash('sha256').update(canonicalResult(result)).digest('hex');
}

/** Queued and running forecasts and the jobs of their queues that do not belong together. */
export interface JobReport {
  /** Queued and running forecasts for which the queue has no job. They would wait forever. */
  readonly lost: readonly string[];
  /** Waiting jobs of forecasts that do not exist. */
  readonly orphans: readonly string[];
}

/** Compares unfinished forecasts with the queue. One statement reads a consistent state. */
export async function checkForecastJobs(executor: Executor): Promise<JobReport> {
  const { rows } = await sql<JobReport>`
    WITH unfinished AS (
      SELECT name, id, state, data->>'forecast_id' AS forecast_id FROM queue.job
      WHERE (name = ${DEAD_LETTER_QUEUE} OR split_part(name, '/', 1) = ${UNVERSIONED_QUEUE}) AND state <= 'active'
    )
    SELECT
      (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM forecast
       WHERE status IN ('queued', 'running') AND NOT EXISTS (
         SELECT FROM unfinished
         -- A job that failed for the last time goes to another queue, which fails the forecast.
         WHERE unfinished.id::text = forecast.job_id
           OR (unfinished.name = ${DEAD_LETTER_QUEUE} AND unfinished.forecast_id = forecast.id)
       )) AS lost,
      (SELECT coalesce(json_agg(id::text ORDER BY id), '[]') FROM unfinished
       WHERE state < 'active' AND NOT EXISTS (SELECT FROM forecast WHERE forecast.id = unfinished.forecast_id)
      ) AS orphans`.execute(executor.query());
  const [found] = rows;
  if (found === undefined) throw new Error('The check of the queue returned no row.');
  return found;
}
