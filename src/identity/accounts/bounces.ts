import type { Executor } from '../../platform/index.ts';
import type { IdentityTables } from '../tables.ts';

/**
 * Notes that a mail to the address came back for good. The address stays verified, since a mail server can be wrong; but
 * who sends mails that nobody asked for at that moment should stop until it is verified anew. False when the account has
 * another address by now, or it was noted before.
 */
export async function recordBounce(
  executor: Executor,
  { accountId, email, now }: { readonly accountId: string; readonly email: string; readonly now: Date },
): Promise<boolean> {
  const noted = await executor
    .query<IdentityTables>()
    .updateTable('account')
    .set({ bounced_at: now, updated_at: now })
    .where('id', '=', accountId)
    .where('email', '=', email)
    .where('bounced_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Since when mails to the account's address come back; null: they do not. */
export async function bouncedSince(executor: Executor, accountId: string): Promise<Date | null> {
  const account = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select('bounced_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.bounced_at ?? null;
}
