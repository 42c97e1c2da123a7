import type { CryptoKey, JWTHeaderParameters, JWTPayload } from 'jose';
import type { Kysely } from 'kysely';
import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { compileOnce, skipIfDiskFull } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, buildPrincipal, LAST_USE_PRECISION_MS } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccountClaims,
  acceptedAudiences,
  buildClaims,
  CLOCK_TOLERANCE_SECONDS,
  selectClaims,
} from './configuration.ts';
import { OAUTH_MOUNT, type Resource } from './oauth.ts';
import { cacheSigningKeys, type SigningKeyCache } from './signing-keys.ts';
import type { OAuthTables } from './tables.ts';

/** The claims of a verified access token. */
interface AccessTokenClaims {
  readonly accountId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** Verifies access tokens of the embedded provider. */
export interface AccessTokenVerifier {
  /** Returns the claims of a valid access token that this provider issued for a resource; null for any other text. */
  verify(token: string, resource: Resource): Promise<AccessTokenClaims | null>;
}

/** Creates the verifier. It loads the library and reads the keys only for the first token. */
export function openAccessTokens(
  context: IdentityContext,
  { siteUrl }: { readonly siteUrl: () => string },
): AccessTokenVerifier {
  const keys = cacheSigningKeys(context);
  return {
    async verify(token, resource) {
      const { decodeJwt, errors, importJWK, jwtVerify } = await import('jose');
      const issuer = `${siteUrl()}${OAUTH_MOUNT}`;
      const findKey = async ({ kid }: JWTHeaderParameters) => {
        const key = await findSigningKey(keys, kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        const { kty, crv, x, y } = key.private_jwk;
        return (await importJWK({ kty, crv, x, y } as never, 'ES256')) as CryptoKey;
      };
      try {
        // The token is not verified yet, but this check avoids looking up the key of another issuer's token.
        if (decodeJwt(token).iss !== issuer) return null;
        const { payload } = await jwtVerify(token, findKey, {
          issuer,
          audience: acceptedAudiences(siteUrl(), resource),
          // ID tokens are signed with the same key and must not be accepted.
          typ: 'at+jwt',
          algorithms: ['ES256'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          maxTokenAge: ACCESS_TOKEN_SECONDS,
          requiredClaims: ['exp', 'sub', 'jti', 'client_id', 'grant_id'],
          currentDate: context.clock.now(),
        });
        return readTokenClaims(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

async function findSigningKey(keys: SigningKeyCache, kid: string | undefined) {
  const hasKid = (key: { kid: string }) => key.kid === kid;
  return (await keys.current()).find(hasKid) ?? (await keys.newest()).find(hasKid);
}

function readTokenClaims(payload: JWTPayload): AccessTokenClaims {
  return {
    accountId: String(payload.sub),
    clientId: String(payload.client_id),
    grantId: String(payload.grant_id),
    tokenId: String(payload.jti),
    scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [],
    expiresAt: new Date((payload.exp ?? 0) * 1_000),
  };
}

interface GrantHolder {
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly now: Date;
}

/** Selects the account of a grant, if the grant still exists. It is removed together with its account or client. */
const selectAccountWithGrant = compileOnce(
  (db: Kysely<OAuthTables>, { grantId, accountId, clientId, now }: GrantHolder) =>
    db
      .selectFrom('oauth_record')
      .innerJoin('account', 'account.id', 'oauth_record.account_id')
      .select(['oauth_record.last_used_at', ...ACCOUNT_COLUMNS])
      .where('account.locked_at', 'is', null)
      .where('oauth_record.model', '=', 'Grant')
      .where('oauth_record.id', '=', grantId)
      .where('oauth_record.account_id', '=', accountId)
      .where('oauth_record.client_id', '=', clientId)
      .where('oauth_record.expires_at', '>', now),
);

/**
 * Returns the account of an access token, or null if the token is invalid or is not for the resource. An authorized
 * application has every scope.
 */
export async function authenticateAccessToken(
  context: IdentityContext,
  verifier: AccessTokenVerifier,
  token: string,
  resource: Resource = 'api',
): Promise<Account | null> {
  const found = await findAccountOfToken(context, verifier, token, resource);
  if (!found) return null;
  const { claims, row } = found;
  return buildPrincipal(row, {
    credential: 'oauth',
    credentialId: claims.tokenId,
    credentialExpiresAt: claims.expiresAt,
    dependsOn: claims.grantId,
    scopes: SCOPES,
  });
}

/** Returns the claims about the account that an access token may disclose, or null if the token is invalid. */
export async function readUserInfo(
  context: IdentityContext,
  verifier: AccessTokenVerifier,
  token: string,
): Promise<Partial<AccountClaims> | null> {
  const found = await findAccountOfToken(context, verifier, token, 'api');
  if (!found) return null;
  const { claims, row } = found;
  return selectClaims(buildClaims({ ...row, id: row.account_id }), claims.scopes);
}

async function findAccountOfToken(
  context: IdentityContext,
  verifier: AccessTokenVerifier,
  token: string,
  resource: Resource,
) {
  const claims = await verifier.verify(token, resource);
  if (!claims) return null;
  const now = context.clock.now();
  const [row] = await selectAccountWithGrant(context.database, { ...claims, now });
  if (!row) return null;
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (!row.last_used_at || row.last_used_at < stale)
    await skipIfDiskFull(recordUse(context, claims.grantId, now, stale));
  return { claims, row };
}

async function recordUse({ database }: IdentityContext, grantId: string, now: Date, stale: Date): Promise<void> {
  await database
    .query<OAuthTables>()
    .updateTable('oauth_record')
    .set({ last_used_at: now })
    .where('model', '=', 'Grant')
    .where('id', '=', grantId)
    // Of several concurrent requests, one writes; the others match no row.
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', stale)]))
    .execute();
}
