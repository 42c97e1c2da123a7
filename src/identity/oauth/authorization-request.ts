import type { IncomingMessage } from 'node:http';
import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { findOneResource, OAUTH_ROUTES, OAUTH_SCOPES } from './configuration.ts';
import type { BrowserSession } from './oauth.ts';

/** The scope of a request without one. RFC 6749, section 3.3 requires a default or an error. */
const DEFAULT_SCOPE = 'openid';

/**
 * The parameters that need the scope openid. They are removed from a request without it, because the provider would
 * otherwise report one of them as invalid instead of the missing scope.
 */
const NEEDING_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/** Adds the parameters that an application may omit, and writes the parameter `resource` in one spelling. */
export function completeAuthorization(query: string, siteUrl: string): string {
  const params = new URLSearchParams(query);
  // The provider refuses a repeated parameter and must therefore see it unchanged.
  if (params.getAll('scope').length > 1 || params.getAll('prompt').length > 1) return query;
  // Several different resources stay as they are, and the provider refuses them.
  const resource = findOneResource(params.getAll('resource'), siteUrl);
  if (resource !== null) params.set('resource', resource);
  if (!params.get('scope')) params.set('scope', DEFAULT_SCOPE);
  const scopes = params.get('scope')?.split(' ') ?? [];
  if (scopes.includes('openid')) keepKnownScopes(params, scopes);
  else for (const name of NEEDING_OPENID) params.delete(name);
  return `?${params}`;
}

/**
 * Drops unknown scopes, as OpenID Connect Core, section 3.1.2.1 recommends: consent to them would have no meaning. If
 * the request is for refresh tokens, which need consent (section 11), it adds the consent prompt; otherwise the
 * provider would drop offline_access.
 */
function keepKnownScopes(params: URLSearchParams, scopes: readonly string[]): void {
  const known = OAUTH_SCOPES.filter((scope) => scopes.includes(scope));
  params.set('scope', known.join(' '));
  const prompts = params.get('prompt')?.split(' ').filter(Boolean) ?? [];
  if (known.includes('offline_access') && !prompts.includes('consent') && !prompts.includes('none')) {
    params.set('prompt', [...prompts, 'consent'].join(' '));
  }
}

/**
 * Requires a login if the browser has signed out of the service or signed in to another account. The provider has its
 * own session, which must belong to the same account as the browser session.
 */
export function requireSameSession(
  { Check }: typeof interactionPolicy,
  browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>,
): interactionPolicy.Check {
  return new Check('other_session', 'End-User authentication is required', 'login_required', async (ctx) => {
    const accountId = ctx.oidc.session?.accountId;
    // Without a session of its own, the provider already requires a login.
    if (accountId === undefined) return Check.NO_NEED_TO_PROMPT;
    return (await browserSession(ctx.req))?.accountId === accountId ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
  });
}

/**
 * Requires the account that id_token_hint names. An application that sends a hint must not get a result for another
 * account (OpenID Connect Core, section 3.1.2.1). The library checks the hint when the request arrives, but not after a
 * sign-in.
 */
export function requireHintedAccount(
  { Check }: typeof interactionPolicy,
  { LoginRequired }: typeof errors,
): interactionPolicy.Check {
  return new Check('other_person', 'id_token_hint names another account', 'login_required', ({ oidc }) => {
    const accountId = oidc.session?.accountId;
    const hint = readIdTokenHint(oidc.params ?? {});
    if (accountId === undefined || hint === null || hint.sub === accountId) return Check.NO_NEED_TO_PROMPT;
    // The person was prompted and signed in to another account. Another prompt could lead to the same result, and so on
    // forever.
    if (oidc.result?.login) throw new LoginRequired('id_token_hint names another account than the signed-in one');
    return Check.REQUEST_PROMPT;
  });
}

/** The account that an application expects, from an earlier ID token of this provider. */
export interface IdTokenHint {
  readonly sub: string;
  readonly email: string | null;
}

/** Returns the account that id_token_hint names. The provider has already verified that it issued the token. */
export function readIdTokenHint({ id_token_hint: hint }: Readonly<Record<string, unknown>>): IdTokenHint | null {
  if (typeof hint !== 'string') return null;
  const [, claims = ''] = hint.split('.');
  const { sub, email } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { sub: String(sub), email: typeof email === 'string' ? email : null };
}

/** The size limit of one parameter, in bytes. The largest that applications send is id_token_hint, with about 1,000. */
const MAX_PARAMETER_BYTES = 2_048;
/** The size limit of all parameters together, in bytes and as the URL contains them. */
const MAX_QUERY_BYTES = 8_192;

/** Returns why the parameters of a request are too long, or null. They are stored until the person has signed in. */
export function findLongParameter(query: string): string | null {
  for (const [name, value] of new URLSearchParams(query)) {
    if (Buffer.byteLength(value) <= MAX_PARAMETER_BYTES) continue;
    return `${name.slice(0, 50)} must not be longer than ${MAX_PARAMETER_BYTES} bytes.`;
  }
  if (Buffer.byteLength(query) <= MAX_QUERY_BYTES) return null;
  return `The parameters must not be longer than ${MAX_QUERY_BYTES} bytes together.`;
}

/**
 * Sends an error page in response to a request with long parameters. The error is not sent to the application, because
 * it must get its `state` back, which can be what is too long.
 */
export function refuseLongParameters(provider: Provider, renderError: NonNullable<Configuration['renderError']>): void {
  provider.use(async (ctx, next) => {
    const error_description = ctx.path === OAUTH_ROUTES.authorization ? findLongParameter(ctx.querystring) : null;
    if (error_description === null) return next();
    ctx.status = 400;
    const out = { error: 'invalid_request', error_description };
    await renderError(ctx as KoaContextWithOIDC, out, new Error(out.error));
  });
}

/**
 * Sends an error page in response to a request with response_mode=form_post. The library would report the error in that
 * mode, with a form that a script submits, but the pages of this site must not run scripts.
 */
export function refuseFormPost(provider: Provider, renderError: NonNullable<Configuration['renderError']>): void {
  provider.use(async (ctx, next) => {
    if (ctx.path !== OAUTH_ROUTES.authorization || ctx.query.response_mode !== 'form_post') return next();
    ctx.status = 400;
    const error_description = 'response_mode must be query or omitted: the response is sent in the redirect URI.';
    const out = { error: 'unsupported_response_mode', error_description };
    await renderError(ctx as KoaContextWithOIDC, out, new Error(out.error));
  });
}
