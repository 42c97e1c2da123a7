import type { Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import { accountNotFound } from '../faults.ts';
import type { IdentityTables } from '../tables.ts';
import { type AccountChange, ADMINISTERED_COLUMNS, type AdministeredRow, applyChange } from './apply-change.ts';

/** Changes the plan of an account, effective with the next request. */
export async function changePlan(
  context: IdentityContext,
  email: string,
  plan: Plan,
): Promise<{ id: string; email: string; plan: Plan }> {
  const account = await changeByAddress(context, email, { plan });
  return { id: account.id, email: account.email, plan };
}

/** Makes an account an administrator, or an ordinary account again, effective with the next request. */
export async function changeAdministrator(
  context: IdentityContext,
  email: string,
  administrator: boolean,
): Promise<{ id: string; email: string; administrator: boolean; email_verified: boolean }> {
  const { id, email: address, email_verified } = await changeByAddress(context, email, { administrator });
  return { id, email: address, administrator, email_verified };
}

/**
 * Locks an account, or unlocks it, effective with the next request. Nothing is deleted: after unlocking, its credentials
 * and feeds work again. Unfinished forecasts must be canceled afterwards.
 */
export async function changeLock(
  context: IdentityContext,
  email: string,
  locked: boolean,
): Promise<{ id: string; email: string; locked: boolean }> {
  const account = await changeByAddress(context, email, { locked });
  return { id: account.id, email: account.email, locked };
}

/** Changes the account with this address, for the command line. */
function changeByAddress(context: IdentityContext, email: string, change: AccountChange): Promise<AdministeredRow> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const account = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(ADMINISTERED_COLUMNS)
      .where('email', '=', email.toLowerCase())
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!account) throw accountNotFound(email);
    await applyChange(tx, account, change, { now });
    return account;
  });
}
