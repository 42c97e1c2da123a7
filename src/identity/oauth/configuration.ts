import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { type ClientDocuments, OAUTH_MOUNT, type Resource, requestScope } from './oauth.ts';
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
  /** The keys of the provider's cookies. The first one signs. */
  readonly cookieKeys: readonly string[];
  readonly errors: typeof errors;
  readonly policy: interactionPolicy.DefaultPolicy;
  /** Called before the provider ends a grant. */
  readonly onGrantEnd: (ctx: KoaContextWithOIDC) => Promise<void>;
  readonly renderError: Configuration['renderError'];
  readonly documents: ClientDocuments;
}

/** Returns the configuration of the provider. It disables unwanted features that the library enables by default. */
export function configureProvider(parts: ConfigurationParts): Configuration {
  const { siteUrl, database, documents } = parts;
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
    // Only documents of clients are fetched. The library gets a document as the service has read it.
    fetch: async (url) => Response.json((await documents.read(String(url))).metadata),
    fetchResponseBodyLimits: { 'client_id metadata document': Number.POSITIVE_INFINITY },
    cookies: {
      keys: [...parts.cookieKeys],
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
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // The documents are kept by `documents`.
        cacheDuration: { min: 0, max: 0 },
        allowFetch: () => {
          if (requestScope.getStore()?.usesStoredClients) throw new parts.errors.InvalidClientAuth('client not found');
          return true;
        },
        allowClient: async (ctx, { clientId }) => {
          const redirectUri = String(ctx?.oidc.params?.redirect_uri);
          const problem = await documents.findProblem(clientId, redirectUri).catch((cause: unknown) => {
            throw cause instanceof Fault ? new parts.errors.InvalidClient('client is invalid', { cause }) : cause;
          });
          if (problem === null) return true;
          throw Object.assign(new parts.errors.InvalidRedirectUri(), { error_description: `${problem}.` });
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => siteUrl,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, resource) => {
          const audience = findOneResource([ctx.oidc.params?.resource ?? resource].flat().map(String), siteUrl);
          if (audience === null) throw new parts.errors.InvalidTarget(describeResources(siteUrl));
          return {
            audience,
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

/**
 * Returns the type of a client for the provider. For a native client, the provider does not compare the port of a
 * loopback URI, because installed applications do not know their port in advance.
 */
export function deriveApplicationType(redirectUris: readonly string[], confidential: boolean): 'native' | 'web' {
  const isInstalled = redirectUris.some((uri) => !/^https:/i.test(uri));
  return isInstalled && !confidential ? 'native' : 'web';
}

/** Returns whether the id of a client is the URL of a document. The ids of registered clients are not URLs. */
export function isDocumentId(clientId: string): boolean {
  return /^https:/i.test(clientId);
}

/** Returns the host that a document is read from, or null for the id of a registered client. */
export function documentHost(clientId: string): string | null {
  return isDocumentId(clientId) && URL.canParse(clientId) ? new URL(clientId).host : null;
}

/** The path of the tools for agents, which are a resource of their own. */
export const MCP_PATH = '/mcp';

/** Returns the URL of a resource, which its tokens have as their audience. */
export function resourceUrl(siteUrl: string, resource: Resource): string {
  return resource === 'mcp' ? `${siteUrl}${MCP_PATH}` : siteUrl;
}

/**
 * Returns the audiences of the tokens that a resource accepts. A token for the site can also be used at `/mcp`, but a
 * token for `/mcp` only there: the person consented to the tools and not to the whole API.
 */
export function acceptedAudiences(siteUrl: string, resource: Resource): string[] {
  return resource === 'mcp' ? [siteUrl, resourceUrl(siteUrl, 'mcp')] : [siteUrl];
}

/** Returns the resource with a URL, or null. Ignores a slash at the end, which libraries add when they parse a URL. */
export function findResource(url: string, siteUrl: string): Resource | null {
  const isUrlOf = (resource: Resource) => [url, url.replace(/\/$/, '')].includes(resourceUrl(siteUrl, resource));
  if (isUrlOf('api')) return 'api';
  return isUrlOf('mcp') ? 'mcp' : null;
}

/** Returns the URL of the one resource that all values of a parameter name, or null if there is none or another one. */
export function findOneResource(urls: readonly string[], siteUrl: string): string | null {
  const [first, ...others] = new Set(urls.map((url) => findResource(url, siteUrl)));
  return first && others.length === 0 ? resourceUrl(siteUrl, first) : null;
}

/** Returns what the parameter `resource` must be, for error messages. */
export function describeResources(siteUrl: string): string {
  return `resource must be ${siteUrl} or ${resourceUrl(siteUrl, 'mcp')}, and only one of them`;
}
