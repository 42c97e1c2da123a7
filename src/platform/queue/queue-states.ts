import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { readQueueDepths } from './open-queue.ts';
import { familyOf } from './queue.ts';

/** A queue, or several of one family, as operators see it. */
export interface QueueState {
  readonly name: string;
  /** The number of jobs that are ready to start. */
  readonly waiting: number;
  readonly oldestSeconds: number;
  /** The number of jobs that workers run, as a worker last counted it. */
  readonly running: number;
}

export interface QueueReport {
  readonly queues: readonly QueueState[];
  /** When a worker last looked after the queues; null if none ever did. */
  readonly workerSeenAt: Date | null;
}

/**
 * Returns the state of the queues. Every worker looks after all queues in turns, every few seconds, and records it; the
 * queues therefore show whether a worker lives in any process.
 */
export async function readQueueReport(executor: Executor, schema = 'queue'): Promise<QueueReport> {
  const depths = await readQueueDepths(executor, schema);
  const { rows } = await sql<{ name: string; running: number; seen: Date | null }>`
    SELECT name, active_count AS running,
      greatest(monitor_claim_on, monitor_on, maintain_on, (SELECT max(cron_on) FROM ${sql.table(`${schema}.version`)})) AS seen
    FROM ${sql.table(`${schema}.queue`)}`.execute(executor.query());
  const seen = rows.flatMap(({ seen }) => (seen === null ? [] : [seen.getTime()]));
  return {
    queues: depths.map(({ queue, waiting, oldestSeconds }) => ({
      name: queue,
      waiting,
      oldestSeconds: Math.max(0, oldestSeconds),
      running: rows.reduce((sum, { name, running }) => sum + (familyOf(name) === queue ? running : 0), 0),
    })),
    workerSeenAt: seen.length === 0 ? null : new Date(Math.max(...seen)),
  };
}
