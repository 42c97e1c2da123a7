import { sql } from 'kysely';
import type { Database, Executor, Queue, Transaction } from '../platform/index.ts';
import { UNVERSIONED_QUEUE } from './forecast-queues.ts';
import { countTakenSlots } from './metering/charges.ts';

/** Each plan has this many priorities: a forecast has the n-th from above if n forecasts of its payer wait before it. */
const PRIORITIES_PER_PLAN = 1_000;
const LAST = PRIORITIES_PER_PLAN - 1;

/**
 * Returns the priority of a new forecast: plan x 1,000 minus the waiting forecasts of its payer. Jobs with a higher
 * priority run first, and among equals the oldest.
 *
 * @param plan the place of the payer's plan, from 0
 * @param waiting the number of forecasts of the payer that wait already; null for a payer that comes last of its plan
 */
export function priorityOf(plan: number, waiting: number | null): number {
  return plan * PRIORITIES_PER_PLAN - Math.min(waiting ?? LAST, LAST);
}

/**
 * Counts the forecasts of a payer that wait, or those of the guests of a network, besides one whose slot was just taken and
 * whose job does not exist yet.
 */
export async function countWaiting(tx: Transaction, payer: string, network: string | null): Promise<number> {
  // Most payers have no other forecast.
  if ((await countTakenSlots(tx, network ?? payer)) <= 1) return 0;
  if (network === null) return countQueued(tx, payer);
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting
    FROM network_slot JOIN forecast ON forecast.id = network_slot.forecast_id
      JOIN queue.job ON job.name = forecast.queue AND job.id = forecast.job_id::uuid
    WHERE network_slot.network = ${network} AND job.state < 'active'`.execute(tx.query());
  return rows[0]?.waiting ?? 0;
}

/** Counts the forecasts of a payer that wait in the queues. */
export async function countQueued(executor: Executor, payer: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting FROM queue.job
    WHERE split_part(name, '/', 1) = ${UNVERSIONED_QUEUE} AND state < 'active' AND group_id = ${payer}`.execute(
    executor.query(),
  );
  return rows[0]?.waiting ?? 0;
}

/** The priority of forecasts that run next, whatever their plan: above those of all plans. */
const NEXT = 1_000_000;

/**
 * Of ten forecasts that a process starts, one is the oldest of all, one is the next of each plan, and the others go by
 * priority. A turn that finds no forecast leaves it to the priority. There is no other agreement between processes: each
 * has at least this share of every plan, so all of them together have it as well.
 */
const TURNS: readonly ('oldest' | number | null)[] = ['oldest', null, 0, null, 1, null, 2, null, 3, null];

/** Gives every plan and the oldest forecast their share of what this process starts. */
export interface QueueTurns {
  /** Call it when a job is taken. It may choose the forecast that runs next. */
  take(): Promise<void>;
}

/** @param name the queue of the forecasts */
export function createQueueTurns({ database, queue }: { database: Database; queue: Queue }, name: string): QueueTurns {
  let taken = 0;
  return {
    async take() {
      const turn = TURNS[taken % TURNS.length] ?? null;
      taken += 1;
      if (turn === null) return;
      await database.transaction(async (tx) => {
        const id = await lockNext(tx, name, turn);
        if (id !== null) await queue.changePriority(tx, name, id, NEXT);
      });
    },
  };
}

/** Locks the forecast whose turn it is, so that two processes do not choose the same one. */
async function lockNext(tx: Transaction, name: string, turn: 'oldest' | number): Promise<string | null> {
  const ready = sql`name = ${name} AND state < 'active' AND NOT blocked AND start_after <= now()`;
  const next =
    turn === 'oldest'
      ? sql<{ id: string }>`
          SELECT id::text FROM queue.job WHERE ${ready} AND priority < ${NEXT}
          ORDER BY created_on LIMIT 1 FOR UPDATE SKIP LOCKED`
      : sql<{ id: string }>`
          SELECT id::text FROM queue.job
          WHERE ${ready} AND priority BETWEEN ${priorityOf(turn, null)} AND ${priorityOf(turn, 0)}
          ORDER BY priority DESC, created_on LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const { rows } = await next.execute(tx.query());
  return rows[0]?.id ?? null;
}

/** How long the oldest ready forecast with a priority has waited. */
interface Wait {
  readonly priority: number;
  readonly seconds: number;
}

/**
 * Returns the waits in a queue. Forecasts that run one at a time wait for others of their payer, so they do not count.
 */
export async function readWaits(executor: Executor, name: string): Promise<readonly Wait[]> {
  const { rows } = await sql<Wait>`
    SELECT priority, greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS seconds
    FROM queue.job
    WHERE name = ${name} AND state < 'active' AND NOT blocked AND start_after <= now() AND priority < ${NEXT}
      AND group_tier IS NULL
    GROUP BY 1`.execute(executor.query());
  return rows;
}

/**
 * Returns how long the oldest forecast of a plan has waited, in seconds, of those that run before a new one of a payer.
 *
 * @param waiting the number of forecasts of the payer that wait; null for the wait of the whole plan
 */
export function longestWait(waits: readonly Wait[], plan: number, waiting: number | null): number {
  const [from, to] = [priorityOf(plan, waiting), priorityOf(plan, 0)];
  return Math.max(
    0,
    ...waits.flatMap(({ priority, seconds }) => (priority >= from && priority <= to ? [seconds] : [])),
  );
}
