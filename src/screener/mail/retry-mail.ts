import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import { MAIL_RETRY_MINUTES, requeueMail } from '../../identity/index.ts';
import type { JobAttempt, Queue } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import { BLOCKED_STATE, type ClaimedMail, mailBlockReason } from './claim-screener-mail.ts';
import { SCREENER_MAIL_KEY } from './plan-mails.ts';

export const MAX_ATTEMPTS = MAIL_RETRY_MINUTES.length + 1;

/** The dependencies of sending an email. */
export interface SendingContext extends Pick<ScreenerContext, 'database' | 'clock'> {
  readonly queue: Pick<Queue, 'enqueue' | 'complete'>;
}

/** A claimed email and the job that sends it. */
export interface MailAttempt {
  readonly claimed: ClaimedMail;
  readonly job: JobAttempt;
}

/** Schedules the next attempt after a temporary failure, or ends the email if its attempts are used up. */
export async function retryLater(
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
    const minutes = MAIL_RETRY_MINUTES[claimed.attempt - 1] ?? 0;
    const startAfter = new Date(now.getTime() + minutes * MINUTE_MS);
    await requeueMail(queue, tx, { data: { [SCREENER_MAIL_KEY]: claimed.id }, job, startAfter });
  });
}

/**
 * Retries an email immediately because its content changed while it was being sent, or ends it with the reason if nothing
 * is left to send. The retry counts as an attempt, because each attempt has a number, but does not use up the last one:
 * a change by the account must not cause the loss of the email.
 */
export async function retryWithChangedContent(
  { database, clock, queue }: SendingContext,
  { claimed, job }: MailAttempt,
): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ state: string }>`
      WITH checked AS (
        SELECT mail.id, ${mailBlockReason(now)} AS block_reason
        FROM screener_mail AS mail JOIN account ON account.id = mail.account_id
        WHERE mail.id = ${claimed.id}
      )
      UPDATE screener_mail AS mail SET
        state = CASE WHEN block_reason IS NULL THEN 'queued' ELSE ${BLOCKED_STATE} END,
        reason = block_reason,
        updated_at = ${now}::timestamptz
      FROM checked
      WHERE mail.id = checked.id AND mail.attempts = ${claimed.attempt}::int AND mail.state = 'sending'
      RETURNING mail.state
    `.execute(tx.query());
    if (rows[0]?.state !== 'queued') return;
    await requeueMail(queue, tx, { data: { [SCREENER_MAIL_KEY]: claimed.id }, job, startAfter: now });
  });
}
