import { sql } from 'kysely';
import type { Comparison, ForecastResult, Progress } from '../engine/index.ts';
import { type Executor, json, type OutboxDetails, recordOutboxEvents, type Transaction } from '../platform/index.ts';
import type { ProofSeal, StampPolicy } from '../provenance/index.ts';
import { requestForecastStamp } from './forecast-proof.ts';
import { UNVERSIONED_QUEUE } from './forecast-queues.ts';
import { captureCredits, releaseCredits, releaseNetworkSlot, releaseSlot } from './metering/charges.ts';
import { openOutcome } from './outcomes/open-outcome.ts';
import type { ForecastEventTable, ForecastFailure, ForecastSettings, ForecastTables } from './tables.ts';

// Every change of a forecast's state is one guarded statement. Of several concurrent attempts, only the one that holds
// the forecast can change it.

/** A forecast that is held by one attempt, until a later attempt takes it over. */
export interface ForecastAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly payer: string;
  readonly settings: ForecastSettings;
  readonly snapshot_id: string | null;
  readonly reproduces: string | null;
  readonly is_copy: boolean;
  readonly checkpoints: Record<string, string>;
  readonly created_at: Date;
}

/**
 * Takes an unfinished forecast, even if an earlier attempt holds it. Returns null if the forecast has ended, or if the queue
 * has given its job to a later attempt meanwhile: a process that was stopped for a while must not take the forecast from
 * that one, which would then end as if its work was done.
 *
 * @param retries how often the queue had given the job out before this attempt
 */
export async function beginAttempt(
  executor: Executor,
  id: string,
  retries: number,
  now: Date,
): Promise<ForecastAttempt | null> {
  const taken = await executor
    .query<ForecastTables>()
    .updateTable('forecast')
    .set({
      status: 'running',
      attempt: sql<number>`attempt + 1`,
      started_at: sql<Date>`coalesce(started_at, ${now})`,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .where(
      sql<boolean>`EXISTS (
        SELECT FROM queue.job
        WHERE job.name = coalesce(forecast.queue, ${UNVERSIONED_QUEUE}) AND job.id = forecast.job_id::uuid
          AND job.state = 'active' AND job.retry_count = ${retries}
      )`,
    )
    .returning([
      'id',
      'attempt',
      'payer',
      'settings',
      'snapshot_id',
      'reproduces',
      'is_copy',
      'checkpoints',
      'created_at',
    ])
    .executeTakeFirst();
  // A process of an earlier version does not mark the copies that it queues.
  return taken === undefined ? null : { ...taken, is_copy: taken.is_copy || taken.reproduces !== null };
}

/** Returns whether an attempt still holds its forecast. */
export async function isAttemptCurrent(executor: Executor, { id, attempt }: ForecastAttempt): Promise<boolean> {
  const row = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['status', 'attempt'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status === 'running' && row.attempt === attempt;
}

/** Stores the progress of an attempt with its event, if the attempt still holds the forecast. */
export async function recordProgress(
  executor: Executor,
  { id, attempt }: ForecastAttempt,
  progress: Progress,
  now: Date,
): Promise<void> {
  const data = { status: 'running', progress };
  // One statement does both: a transaction of three statements would cost as much as all other statements of a small
  // forecast.
  await sql`
    WITH noted AS (
      UPDATE forecast SET progress = ${json(progress)}, last_event = last_event + 1
      WHERE id = ${id} AND status = 'running' AND attempt = ${attempt}
      RETURNING id, last_event
    )
    INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
    SELECT id, last_event, 'progress', ${json(data)}, ${now} FROM noted`.execute(executor.query());
}

/** A result with the digests and documents that are stored with it. */
export interface CompletedResult {
  readonly result: ForecastResult;
  readonly resultSha256: string;
  readonly contentId: string;
  readonly seal: ProofSeal;
  readonly fingerprint: object;
  readonly comparison: Comparison | null;
  readonly progress: Progress;
}

/** Completes a forecast, opens its outcome and hands its proof over to be stamped. Returns false if the attempt no longer holds it. */
export async function completeForecast(
  tx: Transaction,
  forecast: ForecastAttempt,
  { result, resultSha256, contentId, seal, fingerprint, comparison, progress }: CompletedResult,
  stamps: StampPolicy,
  now: Date,
): Promise<boolean> {
  const { id, attempt } = forecast;
  const completed = await tx
    .query<ForecastTables>()
    .updateTable('forecast')
    .set({
      status: 'completed',
      result: json(result),
      result_sha256: resultSha256,
      content_cid: contentId,
      proof_hash: seal.hash,
      proof_salt: seal.salt,
      fingerprint: { ...fingerprint },
      comparison: comparison === null ? null : json(comparison),
      progress: json(progress),
      finished_at: now,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempt', '=', attempt)
    .returning(['id', 'payer', 'guest_id', 'credits', 'visibility', 'content_cid'])
    .executeTakeFirst();
  if (completed === undefined) return false;
  await openOutcome(tx, { ...forecast, result }, now);
  await requestForecastStamp(tx, stamps, completed, now);
  await finishForecast(tx, completed, { kind: 'completed', data: { progress }, details: {} }, now);
  return true;
}

/**
 * Fails an unfinished forecast.
 *
 * @param attempt the attempt that must still hold the forecast; if omitted, it does not matter which attempt holds it
 * @returns false if the forecast had already ended or another attempt holds it
 */
export async function failForecast(
  tx: Transaction,
  id: string,
  error: ForecastFailure,
  now: Date,
  attempt?: number,
): Promise<boolean> {
  const failed = await tx
    .query<ForecastTables>()
    .updateTable('forecast')
    .set({ status: 'failed', error: json(error), finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt as number))
    .returning(['id', 'payer', 'guest_id', 'credits'])
    .executeTakeFirst();
  if (failed === undefined) return false;
  await finishForecast(tx, failed, { kind: 'failed', data: { error }, details: { code: error.code } }, now);
  return true;
}

interface FinishedForecast {
  readonly id: string;
  readonly payer: string;
  readonly guest_id: string | null;
  readonly credits: number;
}

/**
 * Releases the slot of a forecast, settles its credits and records its last event. Runs once for each forecast, in the
 * transaction of the guarded statement that ended it.
 */
async function finishForecast(
  tx: Transaction,
  { id, payer, guest_id, credits }: FinishedForecast,
  outcome: { readonly kind: 'completed' | 'failed'; readonly data: object; readonly details: OutboxDetails },
  now: Date,
): Promise<void> {
  const settlement = { owner: payer, forecastId: id, credits, now };
  await releaseSlot(tx, payer);
  if (guest_id !== null) await releaseNetworkSlot(tx, id);
  await (outcome.kind === 'completed' ? captureCredits(tx, settlement) : releaseCredits(tx, settlement));
  await recordEvent(tx, { forecastId: id, kind: outcome.kind, data: { status: outcome.kind, ...outcome.data }, now });
  // Nothing reads the events of guests.
  if (guest_id === null) {
    await recordOutboxEvents(tx, `forecast.${outcome.kind}`, [{ subject: id, details: outcome.details }], now);
  }
}

export interface NewEvent {
  readonly forecastId: string;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly now: Date;
}

/**
 * Stores an event of a forecast and returns its number. Taking the number locks the forecast until the transaction
 * ends, so an event never becomes visible before one with a lower number, and a rollback leaves no gap.
 *
 * One statement does both, because a separate statement would add noticeably to the cost of a small forecast.
 */
export async function recordEvent(executor: Executor, { forecastId, kind, data, now }: NewEvent): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    WITH numbered AS (
      UPDATE forecast SET last_event = last_event + 1 WHERE id = ${forecastId} RETURNING id, last_event
    )
    INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
    SELECT id, last_event, ${kind}, ${json(data)}, ${now} FROM numbered
    RETURNING number`.execute(executor.query());
  const [written] = rows;
  if (written === undefined) throw new Error(`No forecast ${forecastId} exists to record an event for.`);
  return written.number;
}
