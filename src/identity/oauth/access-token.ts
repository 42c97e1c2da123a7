import type { CryptoKey, JWTHeaderParameters, JWTPayload } from 'jose';
import type { IdentityContext } from '../context.ts';
import { type HeldKeys, holdKeys } from './held-keys.ts';
import { ACCESS_TOKEN_SECONDS, CLOCK_TOLERANCE_SECONDS } from './lifetimes.ts';
import { OAUTH_MOUNT } from './oauth.ts';

/** What an access token of ours says, after its signature was checked. */
export interface AccessTokenClaims {
  readonly accountId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** Reads access tokens of our own provider. */
export interface AccessTokenVerifier {
  /** Null for what is no token, not an access token, not ours, not for this site, or not in force. */
  verify(token: string): Promise<AccessTokenClaims | null>;
}

/** Nothing is loaded or read before the first token comes. */
export function openAccessTokens(
  context: IdentityContext,
  { siteUrl }: { readonly siteUrl: () => string },
): AccessTokenVerifier {
  const keys = holdKeys(context);
  return {
    async verify(token) {
      const { decodeJwt, errors, importJWK, jwtVerify } = await import('jose');
      const issuer = `${siteUrl()}${OAUTH_MOUNT}`;
      const findKey = async ({ kid }: JWTHeaderParameters) => {
        const key = await findSigningKey(keys, kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        const { kty, crv, x, y } = key.private_jwk;
        return (await importJWK({ kty, crv, x, y } as never, 'ES256')) as CryptoKey;
      };
      try {
        // Proves nothing, but spares a look for the key of a token that is somebody else's.
        if (decodeJwt(token).iss !== issuer) return null;
        const { payload } = await jwtVerify(token, findKey, {
          issuer,
          audience: siteUrl(),
          // An identity token is signed with the same key, and must not open anything.
          typ: 'at+jwt',
          algorithms: ['ES256'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          maxTokenAge: ACCESS_TOKEN_SECONDS,
          requiredClaims: ['exp', 'sub', 'jti', 'client_id', 'grant_id'],
          currentDate: context.clock.now(),
        });
        return claimsOf(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

async function findSigningKey(keys: HeldKeys, kid: string | undefined) {
  const named = (key: { kid: string }) => key.kid === kid;
  return (await keys.current()).find(named) ?? (await keys.newest()).find(named);
}

function claimsOf(payload: JWTPayload): AccessTokenClaims {
  return {
    accountId: String(payload.sub),
    clientId: String(payload.client_id),
    grantId: String(payload.grant_id),
    tokenId: String(payload.jti),
    scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [],
    expiresAt: new Date((payload.exp ?? 0) * 1_000),
  };
}
