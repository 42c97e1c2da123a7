import { Fault, type Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityTables } from '../tables.ts';

/** Puts an account on another plan, from its next request on. */
export async function changePlan(
  context: IdentityContext,
  email: string,
  plan: Plan,
): Promise<{ id: string; email: string; plan: Plan }> {
  const row = await context.database
    .query<IdentityTables>()
    .updateTable('account')
    .set({ plan, updated_at: context.clock.now() })
    .where('email', '=', email.toLowerCase())
    .returning(['id', 'email', 'plan'])
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', `No account with the address ${email}.`);
  return row;
}
