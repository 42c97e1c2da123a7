import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import type { QueueDepth } from '../telemetry/index.ts';

/**
 * How many jobs of each queue could start now, and for how long the oldest could have. One statement that reads the
 * queue's index of what has not started: jobs that are kept after their end cost nothing here.
 */
export async function readQueueDepths(executor: Executor, schema = 'queue'): Promise<QueueDepth[]> {
  const { rows } = await sql<{ queue: string; waiting: number; oldest: number }>`
    SELECT known.name AS queue, count(job.id)::int AS waiting,
      coalesce(extract(epoch FROM now() - min(job.start_after)), 0)::float8 AS oldest
    FROM ${sql.table(`${schema}.queue`)} known
    LEFT JOIN ${sql.table(`${schema}.job`)} job
      ON job.name = known.name AND job.state < 'active' AND NOT job.blocked AND job.start_after <= now()
    WHERE known.name NOT LIKE '\\_\\_%'
    GROUP BY known.name
    ORDER BY known.name`.execute(executor.query());
  return rows.map(({ queue, waiting, oldest }) => ({ queue, waiting, oldestSeconds: oldest }));
}
