import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import type { NotificationMailState } from '../../contract/index.ts';
import { MAIL_RETRY_MINUTES, recordBounce, requeueMail } from '../../identity/index.ts';
import type { JobAttempt, Transaction } from '../../platform/index.ts';
import type { NotificationTables } from '../tables.ts';
import { lockAllChoices } from './choices.ts';
import type { ClaimedMail, MailAttempt, SendingContext } from './claim-mail.ts';
import { NOTIFICATION_MAIL_KEY, startMails } from './plan-mails.ts';

export const MAX_ATTEMPTS = MAIL_RETRY_MINUTES.length + 1;

type EndState = Exclude<NotificationMailState, 'queued'>;

/**
 * Ends an email, and starts the next one if there is something that it did not list. A known end may replace `unknown`,
 * but only of the same attempt.
 */
export async function endMail(context: SendingContext, attempt: MailAttempt, state: EndState): Promise<void> {
  await context.database.transaction((tx) => endInTransaction(context, tx, attempt, state));
}

/** Ends an email whose mailbox does not exist. The account gets no emails until its address is verified again. */
export async function endBounced(context: SendingContext, mail: ClaimedMail): Promise<void> {
  const { accountId, to: email } = mail;
  await context.database.transaction(async (tx) => {
    // The account is locked before its choice, as in its erasure.
    await recordBounce(tx, { accountId, email, now: context.clock.now() });
    await endInTransaction(context, tx, mail, 'failed');
  });
}

async function endInTransaction(
  { clock, queue }: SendingContext,
  tx: Transaction,
  { id, accountId, attempt }: MailAttempt,
  state: EndState,
): Promise<void> {
  const now = clock.now();
  await lockAllChoices(tx, [accountId]);
  await tx
    .query<NotificationTables>()
    .updateTable('notification_mail')
    .set({ state, ended_at: now })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('state', 'in', ['sending', 'unknown'])
    .execute();
  await startMails(tx, queue, [accountId], now);
}

/** Schedules the next attempt after a temporary failure, or ends the email if its attempts are used up. */
export async function retryLater(context: SendingContext, mail: MailAttempt, job: JobAttempt): Promise<void> {
  const minutes = MAIL_RETRY_MINUTES[mail.attempt - 1];
  if (minutes === undefined) return endMail(context, mail, 'failed');
  await returnToQueue(context, mail, job, minutes * MINUTE_MS);
}

/**
 * Schedules another attempt immediately, because the account has changed what the email may list. It counts as an attempt,
 * but does not use up the last one: a change by the account must not cause the loss of the email.
 */
export async function retryNow(context: SendingContext, mail: MailAttempt, job: JobAttempt): Promise<void> {
  await returnToQueue(context, mail, job, 0);
}

async function returnToQueue(
  { database, clock, queue }: SendingContext,
  { id, attempt }: MailAttempt,
  job: JobAttempt,
  delayMs: number,
): Promise<void> {
  const startAfter = new Date(clock.now().getTime() + delayMs);
  await database.transaction(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      UPDATE notification_mail SET state = 'queued', send_at = ${startAfter}
      WHERE id = ${id} AND attempts = ${attempt}::int AND state = 'sending'`.execute(tx.query());
    if (numAffectedRows === 0n) return;
    await requeueMail(queue, tx, { data: { [NOTIFICATION_MAIL_KEY]: id }, job, startAfter });
  });
}
