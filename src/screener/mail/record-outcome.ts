import type { ScreenerMailReason } from '../../contract/index.ts';
import { recordBounce } from '../../identity/index.ts';
import type { Database, Executor } from '../../platform/index.ts';
import type { ScreenerTables } from '../tables.ts';
import type { ClaimedMail } from './claim-mail.ts';

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
