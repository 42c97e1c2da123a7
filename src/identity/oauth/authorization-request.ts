import type { IncomingMessage } from 'node:http';
import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isSite, OAUTH_ROUTES, OAUTH_SCOPES } from './configuration.ts';
import type { BrowserSession } from './oauth.ts';

/** The scope of an application that requests none. RFC 6749, section 3.3 requires a default or a refusal. */
const DEFAULT_SCOPE = 'openid';

/** Without openid the provider would report one of these parameters as wrong instead of the missing scope. */
const NEEDING_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/** Adds the parameters that an application may omit, and writes those that have several spellings in one. */
export function completeAuthorization(query: string, siteUrl: string): string {
  const params = new URLSearchParams(query);
  // The provider refuses a repeated parameter and must therefore see it unchanged.
  if (params.getAll('scope').length > 1 || params.getAll('prompt').length > 1) return query;
  const resources = params.getAll('resource');
  if (resources.length > 0 && resources.every((resource) => isSite(resource, siteUrl))) params.set('resource', siteUrl);
  if (!params.get('scope')) params.set('scope', DEFAULT_SCOPE);
  const scopes = params.get('scope')?.split(' ') ?? [];
  if (scopes.includes('openid')) keepKnownScopes(params, scopes);
  else for (const name of NEEDING_OPENID) params.delete(name);
  return `?${params}`;
}

/**
 * Drops unknown scopes, as OpenID Connect Core, section 3.1.2.1 recommends: consent to them would have no meaning. Adds
 * the consent prompt to a request for refresh tokens, which need consent (section 11): the provider would otherwise drop
 * offline_access from the request.
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
 * Requires a login when the browser has signed out of the service or signed in to another account: the provider has a
 * session of its own, which must follow the service's session.
 */
export function requireSameSession(
  { Check }: typeof interactionPolicy,
  browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>,
): interactionPolicy.Check {
  return new Check('other_session', 'End-User authentication is required', 'login_required', async (ctx) => {
    const accountId = ctx.oidc.session?.accountId;
    // The provider requires a login without a session of its own.
    if (accountId === undefined) return Check.NO_NEED_TO_PROMPT;
    return (await browserSession(ctx.req))?.accountId === accountId ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
  });
}

/**
 * Requires the account that id_token_hint names: an application that sends one gets an answer about that account or none
 * (OpenID Connect Core, section 3.1.2.1). The library reads the hint when the request arrives, but not after a sign-in.
 */
export function requireHintedAccount(
  { Check }: typeof interactionPolicy,
  { LoginRequired }: typeof errors,
): interactionPolicy.Check {
  return new Check('other_person', 'id_token_hint names another account', 'login_required', ({ oidc }) => {
    const accountId = oidc.session?.accountId;
    const hint = readIdTokenHint(oidc.params ?? {});
    if (accountId === undefined || hint === null || hint.sub === accountId) return Check.NO_NEED_TO_PROMPT;
    // The login prompt was shown, and the person signed in to another account: a second prompt would never end.
    if (oidc.result?.login) throw new LoginRequired('id_token_hint names another account than the signed-in one');
    return Check.REQUEST_PROMPT;
  });
}

/** The account that an application expects, as an earlier ID token of this provider named it. */
export interface IdTokenHint {
  readonly sub: string;
  readonly email: string | null;
}

/** Reads the account that id_token_hint names. The provider has verified by then that it issued the token itself. */
export function readIdTokenHint({ id_token_hint: hint }: Readonly<Record<string, unknown>>): IdTokenHint | null {
  if (typeof hint !== 'string') return null;
  const [, claims = ''] = hint.split('.');
  const { sub, email } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { sub: String(sub), email: typeof email === 'string' ? email : null };
}

/**
 * Answers a request for response_mode=form_post with an error page: the library would report the error in that very
 * mode, by a form that a script submits, and no page of this site may run scripts.
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
