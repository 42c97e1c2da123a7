import { timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Configuration, ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import { createAdapter } from './adapter.ts';
import {
  refuseFormPost,
  refuseLongParameters,
  requireHintedAccount,
  requireSameSession,
} from './authorization-request.ts';
import { configureProvider } from './configuration.ts';
import { findDocumentFault } from './fetch-documents.ts';
import { endGrant } from './grants.ts';
import { type BrowserSession, type ClientDocuments, type ErrorPage, OAUTH_MOUNT, requestScope } from './oauth.ts';
import { findGrantId } from './records.ts';
import type { SigningKey } from './signing-keys.ts';
import { endReusedGrants, withTokenChecks } from './token-request.ts';

export interface ProviderParts {
  readonly context: IdentityContext;
  readonly siteUrl: string;
  readonly log: Log;
  readonly keys: readonly SigningKey[];
  readonly cookieKeys: readonly string[];
  /** Returns the service's own session for the browser that sent a request. */
  readonly browserSession: (request: IncomingMessage) => Promise<BrowserSession | null>;
  readonly errorPage: ErrorPage;
  readonly documents: ClientDocuments;
}

/** Builds the provider. The library is loaded here and not on import, because commands and most tests do not need it. */
export async function buildProvider(parts: ProviderParts): Promise<Provider> {
  const { context, siteUrl, keys } = parts;
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(requireSameSession(interactionPolicy, parts.browserSession));
  policy.get('login')?.checks.add(requireHintedAccount(interactionPolicy, errors));
  const renderError = errorRenderer(parts.errorPage);
  const CheckingProvider = withTokenChecks(OidcProvider, { siteUrl, database: context.database, errors });
  const provider = new CheckingProvider(`${siteUrl}${OAUTH_MOUNT}`, {
    ...configureProvider({
      siteUrl,
      database: context.database,
      cookieKeys: parts.cookieKeys,
      errors,
      policy,
      onGrantEnd: (ctx) => recordGrantEnd(context, ctx),
      renderError,
      documents: parts.documents,
    }),
    adapter: createAdapter({
      context,
      invalidGrant: (detail) => new errors.InvalidGrant(detail),
      unavailable: (err) => {
        parts.log.error({ err }, 'database unavailable');
        const error = new errors.TemporarilyUnavailable('The database is unavailable. Try again shortly.');
        return Object.assign(error, { status: 503, statusCode: 503 });
      },
    }),
    jwks: { keys: keys.map(({ kid, private_jwk }) => ({ ...private_jwk, kid, alg: 'ES256', use: 'sig' })) as never },
  });
  ignoreHostHeader(provider, siteUrl);
  compareSecretHashes(provider);
  handleErrors(provider, parts.log);
  refuseFormPost(provider, renderError);
  refuseLongParameters(provider, renderError);
  endReusedGrants(provider, context);
  return provider;
}

/** Makes the provider build URLs from the site's URL, regardless of the headers of a request. */
function ignoreHostHeader(provider: Provider, siteUrl: string): void {
  const { protocol, host } = new URL(siteUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    // Plain HTTP is served only on loopback, where most browsers accept secure cookies as they do over TLS.
    secure: { get: () => true },
  });
}

/** Makes the provider compare hashes of client secrets, because only the hashes are stored. */
function compareSecretHashes(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(this: { clientSecret?: string }, actual: string) {
    const [presented, stored] = [Buffer.from(hashSecret(actual)), Buffer.from(this.clientSecret ?? '')];
    return presented.length === stored.length && timingSafeEqual(presented, stored);
  };
}

/**
 * Records that the provider ends a grant. At the token endpoint it does so only if a code or refresh token was reused.
 */
async function recordGrantEnd(context: IdentityContext, { oidc }: KoaContextWithOIDC): Promise<void> {
  const kind = oidc.route === 'token' ? 'token_reuse_detected' : 'grant_revoked';
  const code = oidc.params?.code;
  const grantId =
    oidc.entities.RefreshToken?.grantId ??
    (typeof code === 'string' ? await findGrantId(context.database, 'AuthorizationCode', code) : null);
  if (grantId) await endGrant(context, grantId, { kind, origin: requestScope.getStore()?.origin });
}

const INTERNAL_ERROR = 'An internal error occurred. The log has the details under this request id.';
const RETRY_AFTER_SECONDS = '5';

/** Returns the function with which the provider sends an error, as JSON or as a page. */
function errorRenderer(errorPage: ErrorPage): NonNullable<Configuration['renderError']> {
  return (ctx, out, error) => {
    // The library reports only that the document was refused.
    const fault = findDocumentFault(error);
    if (fault) out.error_description = fault.message;
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = out;
      return;
    }
    const { html, headers } = errorPage({
      error: out.error,
      description: out.error === 'server_error' ? INTERNAL_ERROR : (out.error_description ?? ''),
      requestId: ctx.response.get('x-request-id'),
    });
    ctx.set({ ...headers });
    ctx.type = 'html';
    ctx.body = html;
  };
}

/** The fields of the discovery document that are changed after the library has written it. */
interface Discovery {
  response_modes_supported: readonly string[];
  claims_supported: readonly string[];
}

/** Logs internal errors, hides their details from clients, and removes unsupported values from the discovery document. */
function handleErrors(provider: Provider, log: Log): void {
  const logError = (err: unknown, ctx?: KoaContextWithOIDC): void =>
    log.error({ err, request_id: ctx?.response.get('x-request-id') }, 'error in the OAuth provider');
  provider.on('server_error', (ctx, error) => logError(error, ctx));
  // Without a listener, Koa writes the error to standard error.
  (provider as EventEmitter).on('error', (error) => logError(error));
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logError(error, ctx as KoaContextWithOIDC);
      ctx.status = 500;
      ctx.body = { error: 'server_error' };
    }
    const body = ctx.body as (Partial<ErrorOut> & Partial<Discovery>) | undefined;
    if (ctx.status === 503) ctx.set('retry-after', RETRY_AFTER_SECONDS);
    if (typeof body !== 'object' || body === null) return;
    if (body.error === 'server_error') body.error_description = INTERNAL_ERROR;
    // Clients are registered with this mode only.
    if (body.response_modes_supported) body.response_modes_supported = ['query'];
    // The library adds the claim to tokens only for kinds of sign-out that are disabled here.
    if (body.claims_supported) body.claims_supported = body.claims_supported.filter((claim) => claim !== 'sid');
  });
}
