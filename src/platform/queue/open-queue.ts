import { PgBoss } from 'pg-boss';
import { engineOf } from '../database/engine.ts';
import type { Database } from '../database/index.ts';
import { bossOptions } from './boss-options.ts';
import { BossQueue } from './boss-queue.ts';
import { defineQueues } from './define-queues.ts';
import type { Queue, QueueDefinition, QueueLog } from './queue.ts';

export interface QueueOptions {
  /** Every queue this build knows; made or updated at start. */
  readonly queues: readonly QueueDefinition[];
  /** Run what keeps the queue healthy (expiry, retention, cron). Workers do; a process that only enqueues need not. */
  readonly supervise: boolean;
  /** Where trouble goes that no caller is waiting for. */
  readonly log?: QueueLog | undefined;
  /** Schema of the queue's own tables. Default `queue`. */
  readonly schema?: string | undefined;
}

/**
 * Opens the job queue in the database its rows live in. Stop the queue before closing the database.
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
  const { queues, supervise, log, schema = 'queue' } = options;
  const boss = new PgBoss(bossOptions(engine, { schema, supervise }));
  boss.on('error', (error) => log?.error({ err: error }, 'queue error'));
  boss.on('warning', ({ message, data }) => log?.warn({ data }, message));
  try {
    await boss.start();
    await defineQueues(boss, queues);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return new BossQueue(boss, database, engine.guard, log);
}
