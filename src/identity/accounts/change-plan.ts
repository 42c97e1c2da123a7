import type { Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import { accountNotFound } from '../faults.ts';
import { recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';

/** Changes the plan of an account, effective with the next request. */
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
    if (!account) throw accountNotFound(email);
    if (account.plan !== plan) {
      await db.updateTable('account').set({ plan, updated_at: now }).where('id', '=', account.id).execute();
      const details = { from: account.plan, to: plan };
      await recordSecurityEvent(tx, { accountId: account.id, kind: 'plan_changed', at: now, details });
    }
    return { ...account, plan };
  });
}
