import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import type { Executor } from '../../platform/index.ts';
import { CLAIMS_BY_SCOPE, OAUTH_SCOPES, readAccountClaims } from './account-claims.ts';
import * as lifetimes from './lifetimes.ts';
import { OAUTH_MOUNT } from './oauth.ts';

export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
} as const;

/** Bound to its path by the browser, so that it cannot have the prefix that the session's has. */
const SHORT_COOKIE = { secure: true, httpOnly: true, sameSite: 'lax', signed: true } as const;

export interface ConfigurationParts {
  readonly siteUrl: string;
  readonly database: Executor;
  /** Signs the provider's cookies. */
  readonly cookieKey: string;
  readonly errors: typeof errors;
  readonly policy: interactionPolicy.DefaultPolicy;
  /** Called before the provider ends a grant by itself. */
  readonly onGrantEnd: (ctx: KoaContextWithOIDC) => Promise<void>;
  readonly renderError: Configuration['renderError'];
}

/** What the provider does and does not do. Everything that is on by default and not wanted is off here. */
export function configurationOf(parts: ConfigurationParts): Configuration {
  const { siteUrl, database } = parts;
  return {
    routes: OAUTH_ROUTES,
    scopes: [...OAUTH_SCOPES],
    claims: Object.fromEntries(Object.entries(CLAIMS_BY_SCOPE).map(([scope, names]) => [scope, [...names]])),
    // Every access token is for the API, so that the identity token is where an application learns who it is.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    pkce: { required: () => true },
    // Not a parameter of our own: only so that it is looked at. Every token says who it is for.
    extraParams: {
      scope: (_ctx, scope) => {
        if (scope?.split(' ').includes('openid')) return;
        throw new parts.errors.InvalidScope('scope must have openid in it', 'openid');
      },
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: lifetimes.CLOCK_TOLERANCE_SECONDS,
    ttl: {
      AccessToken: lifetimes.ACCESS_TOKEN_SECONDS,
      AuthorizationCode: lifetimes.CODE_SECONDS,
      Grant: lifetimes.NEW_GRANT_SECONDS,
      IdToken: lifetimes.ACCESS_TOKEN_SECONDS,
      Interaction: lifetimes.INTERACTION_SECONDS,
      RefreshToken: lifetimes.REFRESH_TOKEN_SECONDS,
      Session: lifetimes.PROVIDER_SESSION_SECONDS,
    },
    rotateRefreshToken: true,
    // Signing out of the browser is not taking back what an application was granted.
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
    // A page may redeem its code where the code is sent to, and nowhere else. "null" is what pages without an origin
    // say of themselves, and what addresses with a scheme of an application's own have for one.
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
      // A token that is bound to a key must be checked with a proof of that key, which the API does not do.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Signing out is a page of ours.
      rpInitiatedLogout: { enabled: false },
      introspection: { enabled: false },
      registration: { enabled: false },
      claimsParameter: { enabled: false },
      // Only so that it is announced: the provider knows no tokens for the API, and what answers there is ours.
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
            accessTokenTTL: lifetimes.ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}
