import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import { WEBHOOK_TEST_EVENT, type WebhookOffReason } from '../../contract/index.ts';
import { MAIL_QUEUE } from '../../identity/index.ts';
import { count, type Executor, type JobAttempt, jsonb, type Transaction } from '../../platform/index.ts';
import type { AttemptContext } from '../context.ts';
import type { StoredAttempt } from '../tables.ts';
import type { ClaimedDelivery } from './claim-delivery.ts';
import { type DeliveryJob, queueAttempt, WEBHOOK_QUEUE } from './queue-deliveries.ts';
import { MAX_AGE_MS, nextAttemptTime, pauseUntil, RETRY_TIMES } from './retry-times.ts';
import type { Sent } from './send-request.ts';
import { skipPending } from './skip-pending.ts';

/** The job of an attempt. */
type HeldJob = JobAttempt & { readonly data: DeliveryJob };

/** An attempt that has ended, with the job that made it. */
export interface EndedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly job: HeldJob;
  readonly startedAt: Date;
  readonly sent: Sent;
}

type Context = Pick<AttemptContext, 'database' | 'clock' | 'queue' | 'retryTimes'>;

// Every transaction below changes the webhook before its deliveries, as requests do, so that they cannot deadlock.

/** Records how an attempt ended, and queues the next one if it failed. */
export async function recordAttempt(context: Context, attempt: EndedAttempt): Promise<void> {
  const { statusCode } = attempt.sent;
  const succeeded = statusCode !== null && statusCode >= 200 && statusCode < 300;
  count('webhook_attempts_total', { outcome: succeeded ? 'succeeded' : 'failed' });
  await (succeeded ? recordSuccess(context, attempt) : recordFailure(context, attempt));
}

async function recordSuccess({ database, clock }: Context, attempt: EndedAttempt): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    // The row of a busy webhook is written once a minute, so that its deliveries do not wait for each other.
    await sql`
      UPDATE webhook SET failures = 0, failing_since = NULL, paused_until = NULL, last_success_at = ${now}
      WHERE id = ${attempt.delivery.webhook_id} AND (failures > 0 OR last_success_at IS NULL
        OR last_success_at < ${new Date(now.getTime() - MINUTE_MS)})`.execute(tx.query());
    await endDelivery(tx, attempt, 'delivered', now);
  });
}

async function recordFailure(context: Context, attempt: EndedAttempt): Promise<void> {
  const { database, clock, queue } = context;
  const { delivery, job } = attempt;
  const now = clock.now();
  const next = findNextAttempt(context, attempt, now);
  await database.transaction(async (tx) => {
    const reason = delivery.type === WEBHOOK_TEST_EVENT ? null : await countFailure(context, tx, attempt, now);
    if (next === null || reason !== null) await endDelivery(tx, attempt, 'failed', now);
    else if (await postpone(tx, attempt, next, now)) {
      await moveJob(queue, tx, job, next);
    }
    if (reason !== null) await turnOff(queue, tx, delivery.webhook_id, reason, now);
  });
}

/** Returns the time of the next attempt, or null after the last one. A test has one attempt. */
function findNextAttempt({ retryTimes = RETRY_TIMES }: Context, { delivery, sent }: EndedAttempt, now: Date) {
  const { type, created_at, attempts } = delivery;
  if (type === WEBHOOK_TEST_EVENT || now.getTime() - created_at.getTime() > MAX_AGE_MS) return null;
  const failed = attempts.filter(({ error }) => error !== 'interrupted').length + 1;
  return nextAttemptTime(retryTimes, { failed, now, retryAfterMs: sent.retryAfterMs, random: Math.random() });
}

/** Returns whether the delivery waits for another attempt: it may have ended, or a later attempt may have begun. */
async function postpone(tx: Executor, attempt: EndedAttempt, next: Date, now: Date): Promise<boolean> {
  const { id, attempt: number } = attempt.delivery;
  const { numAffectedRows = 0n } = await sql`
    UPDATE webhook_delivery SET attempts = attempts || ${jsonb([toStored(attempt, now)])}, next_attempt_at = ${next}
    WHERE id = ${id} AND attempt = ${number} AND state = 'pending'`.execute(tx.query());
  return numAffectedRows > 0n;
}

/**
 * Replaces the present job of a delivery by the next one. Does nothing if the queue has taken the job from this worker,
 * because the queue then repeats it.
 */
export async function moveJob(queue: Context['queue'], tx: Transaction, job: HeldJob, startAfter: Date): Promise<void> {
  if (await queue.complete(tx, WEBHOOK_QUEUE.name, job)) await queueAttempt(queue, tx, job.data, startAfter);
}

/** Ends a delivery. A 2xx status counts for any attempt; a failure only for the latest one. */
async function endDelivery(
  tx: Executor,
  attempt: EndedAttempt,
  state: 'delivered' | 'failed',
  now: Date,
): Promise<void> {
  const { id, attempt: number } = attempt.delivery;
  await sql`
    UPDATE webhook_delivery SET state = ${state}, ended_at = ${now}, next_attempt_at = NULL,
      attempts = attempts || ${jsonb([toStored(attempt, now)])}
    WHERE id = ${id} AND state = 'pending' AND (attempt = ${number} OR ${state === 'delivered'}::boolean)
  `.execute(tx.query());
}

function toStored({ delivery, startedAt, sent }: EndedAttempt, now: Date): StoredAttempt {
  return {
    number: delivery.attempt,
    started_at: startedAt.toISOString(),
    duration_ms: Math.max(0, now.getTime() - startedAt.getTime()),
    status_code: sent.statusCode,
    error: sent.error,
    reply: sent.reply,
  };
}

/** A webhook is turned off after this many failures, if they span a week. */
const MIN_FAILURES = 20;
const FAILING_MS = 7 * DAY_MS;
const GONE = 410;

/**
 * Counts a failure of a webhook, and pauses it if it fails repeatedly.
 *
 * @returns the reason to turn it off, or null
 */
async function countFailure(
  { retryTimes = RETRY_TIMES }: Context,
  tx: Transaction,
  { delivery, sent }: EndedAttempt,
  now: Date,
): Promise<WebhookOffReason | null> {
  const { rows } = await sql<{ failures: number; failing_since: Date; enabled: boolean }>`
    UPDATE webhook SET failures = failures + 1, failing_since = coalesce(failing_since, ${now})
    WHERE id = ${delivery.webhook_id} RETURNING failures, failing_since, enabled`.execute(tx.query());
  const [webhook] = rows;
  if (!webhook?.enabled) return null;
  const { failures, failing_since } = webhook;
  await sql`
    UPDATE webhook SET paused_until = ${pauseUntil(retryTimes, failures, now)} WHERE id = ${delivery.webhook_id}
  `.execute(tx.query());
  if (sent.statusCode === GONE) return 'gone';
  return failures >= MIN_FAILURES && now.getTime() - failing_since.getTime() >= FAILING_MS ? 'failing' : null;
}

/** The key under which a job of the email queue holds the id of a webhook that was turned off. */
export const WEBHOOK_MAIL_KEY = 'webhookOffId';

/** Its owner gets at most one email about a webhook in this time, however often it is turned on and off. */
const MAIL_PAUSE_MS = DAY_MS;

async function turnOff(queue: Context['queue'], tx: Transaction, id: string, reason: WebhookOffReason, now: Date) {
  const { rows } = await sql<{ is_due: boolean }>`
    UPDATE webhook SET enabled = false, off_reason = ${reason}, updated_at = ${now},
      mailed_at = CASE WHEN mailed_at > ${new Date(now.getTime() - MAIL_PAUSE_MS)} THEN mailed_at ELSE ${now} END
    WHERE id = ${id} RETURNING mailed_at = ${now} AS is_due`.execute(tx.query());
  await skipPending(tx, id, now);
  if (rows[0]?.is_due) await queue.enqueue(tx, MAIL_QUEUE.name, { [WEBHOOK_MAIL_KEY]: id });
}
