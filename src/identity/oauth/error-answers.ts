import type { EventEmitter } from 'node:events';
import type { Configuration, ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '../../platform/index.ts';
import { OAUTH_ROUTES } from './configuration.ts';

/** What a person or an application is told when something went wrong. */
export interface OAuthError {
  readonly error: string;
  readonly description: string;
  readonly requestId: string;
}

/** The page that a person at a browser sees. */
export type ErrorPage = (error: OAuthError) => {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What of the discovery document is not as the library writes it. */
interface Discovery {
  response_modes_supported: readonly string[];
  claims_supported: readonly string[];
}

const FAULT = 'An unexpected fault. The log has the details under this request id.';
const RETRY_SECONDS = '5';

export function renderErrorWith(errorPage: ErrorPage): NonNullable<Configuration['renderError']> {
  return (ctx, out) => {
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = out;
      return;
    }
    const { html, headers } = errorPage({
      error: out.error,
      description: out.error === 'server_error' ? FAULT : (out.error_description ?? ''),
      requestId: ctx.response.get('x-request-id'),
    });
    ctx.set({ ...headers });
    ctx.type = 'html';
    ctx.body = html;
  };
}

/**
 * The answer to a request for response_mode=form_post is a page of ours: the library would refuse it in that very mode,
 * by a form that sends itself with a script, which no page of this site may run.
 */
export function refuseFormPost(provider: Provider, errorPage: ErrorPage): void {
  const renderError = renderErrorWith(errorPage);
  provider.use(async (ctx, next) => {
    if (ctx.path !== OAUTH_ROUTES.authorization || ctx.query.response_mode !== 'form_post') return next();
    ctx.status = 400;
    const error_description = 'response_mode must be query, or left out: the answer comes in the address.';
    const out = { error: 'unsupported_response_mode', error_description };
    await renderError(ctx as KoaContextWithOIDC, out, new Error(out.error));
  });
}

/** Logs faults, tells nobody else about them, and keeps answers to what is really on offer. */
export function tidyAnswers(provider: Provider, log: Log): void {
  const logFault = (err: unknown, ctx?: KoaContextWithOIDC): void =>
    log.error({ err, request_id: ctx?.response.get('x-request-id') }, 'fault in the OAuth provider');
  provider.on('server_error', (ctx, error) => logFault(error, ctx));
  // Koa would write it to standard error, and answer in its own words.
  (provider as EventEmitter).on('error', (error) => logFault(error));
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logFault(error, ctx as KoaContextWithOIDC);
      ctx.status = 500;
      ctx.body = { error: 'server_error' };
    }
    const body = ctx.body as (Partial<ErrorOut> & Partial<Discovery>) | undefined;
    if (ctx.status === 503) ctx.set('retry-after', RETRY_SECONDS);
    if (typeof body !== 'object' || body === null) return;
    if (body.error === 'server_error') body.error_description = FAULT;
    // Clients are registered with this one only.
    if (body.response_modes_supported) body.response_modes_supported = ['query'];
    // The library names the session in tokens only for kinds of sign-out that are off here.
    if (body.claims_supported) body.claims_supported = body.claims_supported.filter((claim) => claim !== 'sid');
  });
}
