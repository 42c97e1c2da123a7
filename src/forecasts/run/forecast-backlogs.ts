import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import { engineOfQueue, UNVERSIONED_QUEUE } from '../forecast-queues.ts';

/** A worker that has not reported for this long has ended. */
const PRESENT_SECONDS = 30;

/** The forecasts that wait for one version of the engine, and the workers that take them. */
export interface ForecastBacklog {
  readonly queue: string;
  /** Null for the queue of builds that did not name it by engine. */
  readonly engine: string | null;
  /** The number of jobs that are ready to start. */
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly workers: number;
}

/** Returns the queues of forecasts that have ready jobs or workers, in the order of their names. */
export async function listForecastBacklogs(executor: Executor): Promise<ForecastBacklog[]> {
  const { rows } = await sql<Omit<ForecastBacklog, 'engine'>>`
    SELECT known.name AS queue, coalesce(jobs.waiting, 0) AS waiting, coalesce(jobs.oldest, 0) AS "oldestSeconds",
      coalesce(present.workers, 0) AS workers
    FROM queue.queue AS known
    LEFT JOIN (
      SELECT name, count(*)::int AS waiting, greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS oldest
      FROM queue.job
      WHERE name LIKE ${`${UNVERSIONED_QUEUE}%`} AND state < 'active' AND NOT blocked AND start_after <= now() GROUP BY name
    ) AS jobs ON jobs.name = known.name
    LEFT JOIN (
      SELECT ${`${UNVERSIONED_QUEUE}/`} || engine AS name, count(*)::int AS workers FROM forecast_worker
      WHERE seen_at > now() - ${PRESENT_SECONDS} * interval '1 second' GROUP BY engine
    ) AS present ON present.name = known.name
    WHERE split_part(known.name, '/', 1) = ${UNVERSIONED_QUEUE} AND coalesce(jobs.waiting, present.workers) IS NOT NULL
    ORDER BY known.name`.execute(executor.query());
  return rows.map((row) => ({ ...row, engine: engineOfQueue(row.queue) }));
}
