import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
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
    .select([
      'browser_session.id as session_id',
      'browser_session.expires_at',
      'account.id as account_id',
      'account.email',
      'account.email_verified',
      'account.plan',
      'account.administrator',
    ])
    .where('browser_session.secret_hash', '=', hashSecret(secret))
    .where('browser_session.expires_at', '>', context.clock.now())
    .executeTakeFirst();
  if (!row) return null;
  return {
    kind: 'account',
    accountId: row.account_id,
    email: row.email,
    emailVerified: row.email_verified,
    plan: row.plan,
    administrator: row.administrator,
    credential: 'session',
    credentialId: row.session_id,
    credentialExpiresAt: row.expires_at,
    scopes: SCOPES,
  };
}
