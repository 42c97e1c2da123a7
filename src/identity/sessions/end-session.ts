import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

/** Ends the session of a cookie. An unknown one is nothing to end. */
export async function endSession(context: IdentityContext, secret: string): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .deleteFrom('browser_session')
    .where('secret_hash', '=', hashSecret(secret))
    .execute();
}

/** Ends every session of an account but one; says how many were still running. */
export async function endOtherSessions(
  context: IdentityContext,
  accountId: string,
  keptSessionId: string | null,
): Promise<number> {
  let deletion = context.database
    .query<IdentityTables>()
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', context.clock.now());
  if (keptSessionId !== null) deletion = deletion.where('id', '!=', keptSessionId);
  return (await deletion.returning('id').execute()).length;
}
