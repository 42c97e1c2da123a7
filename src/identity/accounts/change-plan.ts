import { Fault, type Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';

/** Puts an account on another plan, from its next request on. */
export async function changePlan(
  context: IdentityContext,
  email: string,
  plan: Plan,
): Promise<{ id: string; email: string; plan: Plan }> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const db = tx.query<IdentityTables>();
    const account = await db
      .selectFrom('account')
      .select(['id', 'email', 'plan'])
      .where('email', '=', email.toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!account) throw new Fault('NOT_FOUND', `No account with the address ${email}.`);
    if (account.plan !== plan) {
      await db.updateTable('account').set({ plan, updated_at: now }).where('id', '=', account.id).execute();
      const details = { from: account.plan, to: plan };
      await recordSecurityEvent(tx, { accountId: account.id, kind: 'plan_changed', at: now, details });
    }
    return { ...account, plan };
  });
}
