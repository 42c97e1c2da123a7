import type { IdentityContext } from '../context.ts';
import { accountNotFound } from '../faults.ts';
import { recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';

/** Makes an account an administrator, or an ordinary account again, effective with the next request. */
export async function changeAdministrator(
  context: IdentityContext,
  email: string,
  administrator: boolean,
): Promise<{ id: string; email: string; administrator: boolean; email_verified: boolean }> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const db = tx.query<IdentityTables>();
    const account = await db
      .selectFrom('account')
      .select(['id', 'email', 'administrator', 'email_verified'])
      .where('email', '=', email.toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!account) throw accountNotFound(email);
    if (account.administrator !== administrator) {
      await db.updateTable('account').set({ administrator, updated_at: now }).where('id', '=', account.id).execute();
      const details = { administrator: administrator ? 'on' : 'off' };
      await recordSecurityEvent(tx, { accountId: account.id, kind: 'administrator_changed', at: now, details });
    }
    return { ...account, administrator };
  });
}
