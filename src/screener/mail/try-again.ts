import { sql } from 'kysely';
import type { JobAttempt, Queue } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ClaimedMail } from './claim-mail.ts';
import { queueAgain } from './mail-jobs.ts';
import { obstacle, STATE_OF_OBSTACLE } from './obstacle.ts';

/**
 * Minutes from each attempt to the next: soon for a server that puts strangers off for some minutes, and then over most
 * of the day for which a mail lives, so that one that is away for an evening costs nobody a mail.
 */
export const RETRY_MINUTES: readonly number[] = [1, 5, 15, 60, 120, 240, 480];

/** How often a mail is tried. */
export const MAX_ATTEMPTS = RETRY_MINUTES.length + 1;

/** What sending works with. */
export interface SendingContext extends Pick<ScreenerContext, 'database' | 'clock'> {
  readonly queue: Pick<Queue, 'enqueue' | 'complete'>;
}

/** A mail and the job that is at work on it. */
export interface MailAttempt {
  readonly claimed: ClaimedMail;
  readonly job: JobAttempt;
}

/** It was not sent, because the server could not take it: later, or after so many attempts not any more. */
export async function tryLater(
  { database, clock, queue }: SendingContext,
  { claimed, job }: MailAttempt,
): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ state: string }>`
      UPDATE screener_mail SET
        state = CASE WHEN attempts < ${MAX_ATTEMPTS}::int THEN 'queued' ELSE 'failed' END,
        reason = CASE WHEN attempts < ${MAX_ATTEMPTS}::int THEN 'server_away' ELSE 'attempts_used_up' END,
        updated_at = ${now}::timestamptz
      WHERE id = ${claimed.id} AND attempts = ${claimed.attempt}::int AND state = 'sending'
      RETURNING state
    `.execute(tx.query());
    if (rows[0]?.state !== 'queued') return;
    const minutes = RETRY_MINUTES[claimed.attempt - 1] ?? 0;
    const startAfter = new Date(now.getTime() + minutes * 60_000);
    await queueAgain(queue, tx, { mailId: claimed.id, job, startAfter });
  });
}

/**
 * It was not sent, because what it was made from had changed: at once with what is left, or not at all, and then the
 * reason is known. It counts as an attempt, since that is how senders are told apart, but is never the last one: what a
 * user changes must not cost the mail.
 */
export async function tryWithTheRest(
  { database, clock, queue }: SendingContext,
  { claimed, job }: MailAttempt,
): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ state: string }>`
      WITH asked AS (
        SELECT mail.id, ${obstacle(now)} AS obstacle
        FROM screener_mail AS mail JOIN account ON account.id = mail.account_id
        WHERE mail.id = ${claimed.id}
      )
      UPDATE screener_mail AS mail SET
        state = CASE WHEN obstacle IS NULL THEN 'queued' ELSE ${STATE_OF_OBSTACLE} END,
        reason = obstacle,
        updated_at = ${now}::timestamptz
      FROM asked
      WHERE mail.id = asked.id AND mail.attempts = ${claimed.attempt}::int AND mail.state = 'sending'
      RETURNING mail.state
    `.execute(tx.query());
    if (rows[0]?.state === 'queued') await queueAgain(queue, tx, { mailId: claimed.id, job, startAfter: now });
  });
}
