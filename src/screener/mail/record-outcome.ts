import { sql } from 'kysely';
import { HOUR_MS } from '../../calendar/index.ts';
import type { ScreenerMailReason } from '../../contract/index.ts';
import { recordBounce } from '../../identity/index.ts';
import { type Database, type Executor, oldRows, type Removal } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';
import { type ClaimedMail, MAIL_LIFETIME_MS } from './claim-screener-mail.ts';

/** Updates the email of an attempt. A known outcome may replace `unknown`, but only for the same attempt. */
function updateAttempt(executor: Executor, { id, attempt }: ClaimedMail) {
  return executor
    .query<ScreenerTables>()
    .updateTable('screener_mail')
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('state', 'in', ['sending', 'unknown']);
}

export async function recordSent(executor: Executor, mail: ClaimedMail, messageId: string, now: Date): Promise<void> {
  await updateAttempt(executor, mail)
    .set({ state: 'sent', reason: null, message_id: messageId, sent_at: now, updated_at: now })
    .execute();
}

/** Records that the email was not sent and will not be. */
export async function recordUnsent(
  executor: Executor,
  mail: ClaimedMail,
  reason: Extract<ScreenerMailReason, 'refused' | 'no_longer_wanted' | 'no_mail_server'>,
  now: Date,
): Promise<void> {
  const state = reason === 'refused' ? 'failed' : 'skipped';
  await updateAttempt(executor, mail).set({ state, reason, updated_at: now }).execute();
}

/** Records that the mailbox does not exist. The account gets no emails until its address is verified again. */
export async function recordBounced(database: Database, mail: ClaimedMail, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await recordBounce(tx, { accountId: mail.accountId, email: mail.to, now });
    await updateAttempt(tx, mail).set({ state: 'bounced', reason: 'address_refused', updated_at: now }).execute();
  });
}

/** Records that the email may or may not have arrived. */
export async function recordInterrupted(
  executor: Executor,
  mail: ClaimedMail,
  messageId: string,
  now: Date,
): Promise<void> {
  await updateAttempt(executor, mail)
    .set({ state: 'unknown', reason: 'interrupted', message_id: messageId, updated_at: now })
    .execute();
}

/** Ends emails whose job no longer exists: the queue abandons a job that keeps failing, and eventually removes it. */
export async function endStaleMails({ database, clock }: Pick<ScreenerContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const mails = database.query<ScreenerTables>();
  await mails
    .updateTable('screener_mail')
    .set({ state: 'unknown', reason: 'interrupted', updated_at: now })
    .where('state', '=', 'sending')
    .where('updated_at', '<', before(HOUR_MS))
    .execute();
  await mails
    .updateTable('screener_mail')
    .set({ state: 'failed', reason: 'too_late', updated_at: now })
    .where('state', '=', 'queued')
    .where('created_at', '<', before(MAIL_LIFETIME_MS))
    .execute();
}

/** Returns the removal of old emails that have ended. The rows of sessions stay, so that no session is mailed again. */
export function oldScreenerMails(days: number | null, now: Date): Removal[] {
  const where = sql`state NOT IN ('queued', 'sending')`;
  return oldRows({ kind: 'screener_mails', table: 'screener_mail', column: 'created_at', days, now, where });
}
