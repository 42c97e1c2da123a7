import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';
import { isLiveSession } from './live-session.ts';

/** How stale a shown last use may be: the price of not writing on every request. */
const LAST_USE_PRECISION_MS = 5 * 60_000;

/** The account behind a session cookie, or null. A person at a browser has every scope. */
export async function authenticateSession(context: IdentityContext, secret: string): Promise<Account | null> {
  if (!isWellFormedSecret(secret, 'alm_ses_')) return null;
  const now = context.clock.now();
  const row = await context.database
    .query<IdentityTables>()
    .selectFrom('browser_session')
    .innerJoin('account', 'account.id', 'browser_session.account_id')
    .select([
      'browser_session.id as session_id',
      'browser_session.expires_at',
      'browser_session.last_used_at',
      ...ACCOUNT_COLUMNS,
    ])
    .where('browser_session.secret_hash', '=', hashSecret(secret))
    .where(isLiveSession(now))
    .executeTakeFirst();
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (row.last_used_at < stale) await recordUse(context, row.session_id, now, stale);
  return accountPrincipal(row, {
    credential: 'session',
    credentialId: row.session_id,
    credentialExpiresAt: row.expires_at,
    scopes: SCOPES,
  });
}

async function recordUse(context: IdentityContext, sessionId: string, now: Date, stale: Date): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('browser_session')
    .set({ last_used_at: now })
    .where('id', '=', sessionId)
    // Of many concurrent requests one writes; the others find nothing to do.
    .where('last_used_at', '<', stale)
    .execute();
}
