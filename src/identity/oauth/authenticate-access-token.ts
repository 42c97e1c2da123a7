import type { Kysely } from 'kysely';
import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { compileOnce } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityContext } from '../context.ts';
import type { AccessTokenVerifier } from './access-token.ts';
import { type AccountClaims, accountClaims, claimsWithin } from './account-claims.ts';
import type { OAuthTables } from './tables.ts';

/** How stale a shown last use may be: the price of not writing on every request. */
const LAST_USE_PRECISION_MS = 5 * 60_000;

interface LiveGrant {
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly now: Date;
}

/** The account, if its grant to the application is still there: it goes with the account, the application, a revocation. */
const accountWithGrant = compileOnce((db: Kysely<OAuthTables>, { grantId, accountId, clientId, now }: LiveGrant) =>
  db
    .selectFrom('oauth_record')
    .innerJoin('account', 'account.id', 'oauth_record.account_id')
    .select(['oauth_record.last_used_at', ...ACCOUNT_COLUMNS])
    .where('oauth_record.model', '=', 'Grant')
    .where('oauth_record.id', '=', grantId)
    .where('oauth_record.account_id', '=', accountId)
    .where('oauth_record.client_id', '=', clientId)
    .where('oauth_record.expires_at', '>', now),
);

/** The account behind an access token of ours, or null. An application that a person lets in may do what they may. */
export async function authenticateAccessToken(
  context: IdentityContext,
  verifier: AccessTokenVerifier,
  token: string,
): Promise<Account | null> {
  const found = await findHolder(context, verifier, token);
  if (!found) return null;
  const { claims, row } = found;
  return accountPrincipal(row, {
    credential: 'oauth',
    credentialId: claims.tokenId,
    credentialExpiresAt: claims.expiresAt,
    standsOn: claims.grantId,
    scopes: SCOPES,
  });
}

/** What an access token lets its holder know about the person; null when the token is no good. */
export async function readUserInfo(
  context: IdentityContext,
  verifier: AccessTokenVerifier,
  token: string,
): Promise<Partial<AccountClaims> | null> {
  const found = await findHolder(context, verifier, token);
  if (!found) return null;
  const { claims, row } = found;
  return claimsWithin(accountClaims({ ...row, id: row.account_id }), claims.scopes);
}

async function findHolder(context: IdentityContext, verifier: AccessTokenVerifier, token: string) {
  const claims = await verifier.verify(token);
  if (!claims) return null;
  const now = context.clock.now();
  const [row] = await accountWithGrant(context.database, { ...claims, now });
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (!row.last_used_at || row.last_used_at < stale) await recordUse(context, claims.grantId, now, stale);
  return { claims, row };
}

async function recordUse({ database }: IdentityContext, grantId: string, now: Date, stale: Date): Promise<void> {
  await database
    .query<OAuthTables>()
    .updateTable('oauth_record')
    .set({ last_used_at: now })
    .where('model', '=', 'Grant')
    .where('id', '=', grantId)
    // Of many concurrent first requests one writes; the others find nothing to do.
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', stale)]))
    .execute();
}
