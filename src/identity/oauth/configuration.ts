import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import type { Executor } from '../../platform/index.ts';
import { OAUTH_MOUNT } from './oauth.ts';
import type { OAuthTables } from './tables.ts';

export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
} as const;

/** The scopes that applications can request. */
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

export const ACCESS_TOKEN_SECONDS = 15 * MINUTE;
const CODE_SECONDS = MINUTE;
/** The lifetime of one refresh token. Each use replaces it with a new one. */
const REFRESH_TOKEN_SECONDS = 30 * DAY;
const INTERACTION_SECONDS = 60 * MINUTE;
const PROVIDER_SESSION_SECONDS = 14 * DAY;

/** The lifetime of a grant when it is created. Each code and token extends the grant to its own expiry. */
export const NEW_GRANT_SECONDS = 60 * MINUTE;
/**
 * The lifetime of a web application's grant without refresh tokens. During this time, the same browser need not consent
 * again.
 */
export const WEB_GRANT_SECONDS = PROVIDER_SESSION_SECONDS;

/** Allows for differences between the clocks of several machines. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** The claims that each scope discloses. */
const CLAIMS_BY_SCOPE: Readonly<Record<string, readonly (keyof AccountClaims)[]>> = {
  openid: ['sub'],
  profile: ['name'],
  email: ['email', 'email_verified'],
};

export interface AccountClaims {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

/** These cookies are bound to a path, so unlike the session cookie they cannot have the prefix `__Host-`. */
const SHORT_COOKIE = { secure: true, httpOnly: true, sameSite: 'lax', signed: true } as const;

interface ConfigurationParts {
  readonly siteUrl: string;
  readonly database: Executor;
  /** Signs the provider's cookies. */
  readonly cookieKey: string;
  readonly errors: typeof errors;
  readonly policy: interactionPolicy.DefaultPolicy;
  /** Called before the provider ends a grant. */
  readonly onGrantEnd: (ctx: KoaContextWithOIDC) => Promise<void>;
  readonly renderError: Configuration['renderError'];
}

/** Returns the configuration of the provider. It disables unwanted features that the library enables by default. */
export function configureProvider(parts: ConfigurationParts): Configuration {
  const { siteUrl, database } = parts;
  return {
    routes: OAUTH_ROUTES,
    scopes: [...OAUTH_SCOPES],
    claims: Object.fromEntries(Object.entries(CLAIMS_BY_SCOPE).map(([scope, names]) => [scope, [...names]])),
    // The library's userinfo endpoint refuses access tokens for an API, so the ID token contains the account's claims.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    pkce: { required: () => true },
    // The parameter is listed here only to be validated. Every token must name its account, which requires the scope
    // openid.
    extraParams: {
      scope: (_ctx, scope) => {
        if (scope?.split(' ').includes('openid')) return;
        throw new parts.errors.InvalidScope('scope must include openid', 'openid');
      },
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Grant: NEW_GRANT_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: PROVIDER_SESSION_SECONDS,
    },
    rotateRefreshToken: true,
    // Signing out of the browser does not revoke an application's grant.
    expiresWithSession: () => false,
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
    findAccount: async (_ctx, accountId) => {
      const claims = await readAccountClaims(database, accountId);
      return claims && { accountId, claims: () => ({ ...claims }) };
    },
    interactions: { policy: parts.policy, url: (_ctx, { uid }) => `${OAUTH_MOUNT}/interaction/${uid}` },
    revokeGrantPolicy: async (ctx) => {
      await parts.onGrantEnd(ctx);
      return true;
    },
    // A page may redeem a code only from an origin of the client's redirect URIs. "null" is the origin of sandboxed pages
    // and of redirect URIs with a private-use scheme, so it does not identify a client.
    clientBasedCORS: (_ctx, origin, client) =>
      origin !== 'null' &&
      (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
    renderError: parts.renderError,
    cookies: {
      keys: [parts.cookieKey],
      names: { session: '__Host-almanac_oauth', interaction: 'almanac_interaction', resume: 'almanac_resume' },
      long: { ...SHORT_COOKIE, path: '/' },
      short: SHORT_COOKIE,
    },
    features: {
      devInteractions: { enabled: false },
      // The API does not check proofs of possession, so it does not accept tokens that are bound to a key.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // The service has its own sign-out page.
      rpInitiatedLogout: { enabled: false },
      introspection: { enabled: false },
      registration: { enabled: false },
      claimsParameter: { enabled: false },
      // Enabled only to appear in the discovery document. The service answers these requests itself, because the provider
      // does not accept tokens for the API.
      userinfo: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => siteUrl,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (resource !== siteUrl) throw new parts.errors.InvalidTarget(`resource must be ${siteUrl}`);
          return {
            audience: siteUrl,
            scope: OAUTH_SCOPES.join(' '),
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}

/** Returns all claims about an account, or undefined if the id is unknown or the account is locked. */
async function readAccountClaims(executor: Executor, accountId: string): Promise<AccountClaims | undefined> {
  const row = await executor
    .query<OAuthTables>()
    .selectFrom('account')
    .select(['id', 'email', 'email_verified'])
    .where('id', '=', accountId)
    .where('locked_at', 'is', null)
    .executeTakeFirst();
  return row && buildClaims(row);
}

export function buildClaims(row: { id: string; email: string; email_verified: boolean }): AccountClaims {
  // Accounts have no name, so the part of the address before the @ takes its place.
  const name = row.email.slice(0, row.email.lastIndexOf('@'));
  return { sub: row.id, email: row.email, email_verified: row.email_verified, name };
}

/** Returns the claims that the scopes of a token disclose. */
export function selectClaims(claims: AccountClaims, scopes: readonly string[]): Partial<AccountClaims> {
  const names = scopes.flatMap((scope) => CLAIMS_BY_SCOPE[scope] ?? []);
  return Object.fromEntries(names.map((name) => [name, claims[name]]));
}

/** Returns whether a resource is this site. Ignores a slash at the end, which libraries add when they parse a URL. */
export function isSite(resource: string, siteUrl: string): boolean {
  return resource === siteUrl || resource === `${siteUrl}/`;
}

/**
 * Returns the type of a client for the provider. For a native client, the provider does not compare the port of a
 * loopback URI, because installed applications do not know their port in advance.
 */
export function deriveApplicationType(redirectUris: readonly string[], confidential: boolean): 'native' | 'web' {
  const isInstalled = redirectUris.some((uri) => !/^https:/i.test(uri));
  return isInstalled && !confidential ? 'native' : 'web';
}
