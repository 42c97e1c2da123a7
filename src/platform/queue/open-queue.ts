import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { OpenSockets } from '../database/dead-peers.ts';
import { engineOf } from '../database/engine.ts';
import type { Database, Executor } from '../database/index.ts';
import type { QueueDepth } from '../telemetry/index.ts';
import { bossOptions } from './boss-options.ts';
import { BossQueue } from './boss-queue.ts';
import { defineQueues } from './define-queues.ts';
import type { Queue, QueueDefinition, QueueLog } from './queue.ts';

export interface QueueOptions {
  /** Every queue of this build. Queues are created or updated when the queue is opened. */
  readonly queues: readonly QueueDefinition[];
  /** Whether to run maintenance (expiry, retention, cron). Workers do; processes that only add jobs need not. */
  readonly supervise: boolean;
  /** Receives errors that cannot be thrown to a caller. */
  readonly log?: QueueLog | undefined;
  /** The schema of the queue's tables. Default: `queue`. */
  readonly schema?: string | undefined;
  /**
   * How long a connection to PostgreSQL may be silent before it is ended, because its server has vanished. Default: two
   * minutes, which is longer than maintenance takes.
   */
  readonly maxSilenceMs?: number | undefined;
}

/**
 * Opens the job queue. It is in the same database as the rows that its jobs belong to. Stop the queue before closing
 * the database.
 *
 * @example
 * const queue = await openQueue(database, { queues: [{ name: 'forecast' }], supervise: true, log });
 * await database.transaction(async (tx) => {
 *   await insertJob(tx, job);
 *   await queue.enqueue(tx, 'forecast', { jobId: job.id });
 * });
 */
export async function openQueue(database: Database, options: QueueOptions): Promise<Queue> {
  const engine = engineOf(database);
  engine.guard.assertOutside('The queue was opened inside a transaction.');
  const { queues, supervise, log, schema = 'queue', maxSilenceMs = 120_000 } = options;
  const sockets = new OpenSockets();
  const boss = new PgBoss(bossOptions(engine, { schema, supervise, maxSilenceMs, sockets }));
  const stop = () => sockets.closeWith(() => boss.stop({ graceful: false }));
  boss.on('error', (error) => {
    // The database logs once that its disk is full. The queue would repeat it with every poll. pg-boss copies errors, so
    // only the name is left.
    if (error.name !== 'DiskFullError') log?.error({ err: error }, 'queue error');
  });
  boss.on('warning', ({ message, data }) => log?.warn({ data }, message));
  try {
    await boss.start();
    await defineQueues(boss, queues);
  } catch (error) {
    await stop();
    throw error;
  }
  return new BossQueue(boss, stop, database, engine.guard, log);
}

/**
 * Returns for each queue the number of jobs that are ready to start and how long the oldest has been ready. Queues of one
 * family are added up. The statement
 * reads only the index of jobs that have not started, so finished jobs do not slow it down.
 */
export async function readQueueDepths(executor: Executor, schema = 'queue'): Promise<QueueDepth[]> {
  const { rows } = await sql<{ queue: string; waiting: number; oldest: number }>`
    SELECT split_part(known.name, '/', 1) AS queue, count(job.id)::int AS waiting,
      coalesce(extract(epoch FROM now() - min(job.start_after)), 0)::float8 AS oldest
    FROM ${sql.table(`${schema}.queue`)} known
    LEFT JOIN ${sql.table(`${schema}.job`)} job
      ON job.name = known.name AND job.state < 'active' AND NOT job.blocked AND job.start_after <= now()
    WHERE known.name NOT LIKE '\\_\\_%'
    GROUP BY 1
    ORDER BY 1`.execute(executor.query());
  return rows.map(({ queue, waiting, oldest }) => ({ queue, waiting, oldestSeconds: oldest }));
}
