import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

/** The account behind a session cookie, or null. A person at a browser has every scope. */
export async function authenticateSession(context: IdentityContext, secret: string): Promise<Account | null> {
  if (!isWellFormedSecret(secret, 'alm_ses_')) return null;
  const row = await context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .innerJoin('account', 'account.id', 'browser_session.account_id')
    .select(['browser_session.id as session_id', 'browser_session.expires_at', ...ACCOUNT_COLUMNS])
    .where('browser_session.secret_hash', '=', hashSecret(secret))
    .where('browser_session.expires_at', '>', context.clock.now())
    .executeTakeFirst();
  if (!row) return null;
  return accountPrincipal(row, {
    credential: 'session',
    credentialId: row.session_id,
    credentialExpiresAt: row.expires_at,
    scopes: SCOPES,
  });
}
