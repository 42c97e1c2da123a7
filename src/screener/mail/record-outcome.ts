import { sql } from 'kysely';
import type { ScreenerMailReason } from '../../contract/index.ts';
import { recordBounce } from '../../identity/index.ts';
import type { Database, Executor } from '../../platform/index.ts';
import type { ScreenerTables } from '../tables.ts';
import type { ClaimedMail } from './claim-mail.ts';

/** How often a mail is tried. */
export const MAX_ATTEMPTS = 5;

/** What is known for certain takes the place of what was not, as long as it is about the same attempt. */
function ofAttempt(executor: Executor, { id, attempt }: ClaimedMail) {
  return executor
    .query<ScreenerTables>()
    .updateTable('screener_mail')
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('state', 'in', ['sending', 'unknown']);
}

export async function recordSent(executor: Executor, mail: ClaimedMail, messageId: string, now: Date): Promise<void> {
  await ofAttempt(executor, mail)
    .set({ state: 'sent', reason: null, message_id: messageId, sent_at: now, updated_at: now })
    .execute();
}

/** It will not be sent, and was not. */
export async function recordUnsent(
  executor: Executor,
  mail: ClaimedMail,
  reason: Extract<ScreenerMailReason, 'refused' | 'no_longer_wanted' | 'no_mail_server'>,
  now: Date,
): Promise<void> {
  const state = reason === 'refused' ? 'failed' : 'skipped';
  await ofAttempt(executor, mail).set({ state, reason, updated_at: now }).execute();
}

/** There is no such mailbox: this account gets no more mails until its address is verified anew. */
export async function recordBounced(database: Database, mail: ClaimedMail, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await recordBounce(tx, { accountId: mail.accountId, email: mail.to, now });
    await ofAttempt(tx, mail).set({ state: 'bounced', reason: 'address_refused', updated_at: now }).execute();
  });
}

export async function recordInterrupted(
  executor: Executor,
  mail: ClaimedMail,
  messageId: string,
  now: Date,
): Promise<void> {
  await ofAttempt(executor, mail)
    .set({ state: 'unknown', reason: 'interrupted', message_id: messageId, updated_at: now })
    .execute();
}

/** It was not sent. @returns whether it may be tried again */
export async function putBack(executor: Executor, { id, attempt }: ClaimedMail, now: Date): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`
    UPDATE screener_mail SET
      state = CASE WHEN attempts < ${MAX_ATTEMPTS}::int THEN 'queued' ELSE 'failed' END,
      reason = CASE WHEN attempts < ${MAX_ATTEMPTS}::int THEN 'server_away' ELSE 'attempts_used_up' END,
      updated_at = ${now}::timestamptz
    WHERE id = ${id} AND attempts = ${attempt}::int AND state = 'sending'
    RETURNING state
  `.execute(executor.query());
  return rows[0]?.state === 'queued';
}
