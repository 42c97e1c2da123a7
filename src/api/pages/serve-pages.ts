import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, type Principal } from '../../access/index.ts';
import type { ErrorCode } from '../../contract/index.ts';
import { authenticateSession } from '../../identity/index.ts';
import { countRequest, limitUnknown } from '../edge/admit.ts';
import { isRefusedAccount } from '../edge/authenticate.ts';
import { createCookieJar } from '../edge/cookies.ts';
import { startErrorResponse } from '../edge/error-response.ts';
import { ownOrigins, refuseForeignOrigin } from '../edge/same-origin.ts';
import { originOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';
import { readForms } from './forms.ts';
import { html, type Page, renderDocument } from './html.ts';
import { STYLE_SOURCE } from './style.ts';
import { type PageHandler, type PageRoute, SeeOther, type Visit } from './visit.ts';

/** Registers pages in their own context, where bodies are forms and errors are pages. */
export async function servePages(app: FastifyInstance, parts: ApiParts, routes: readonly PageRoute[]): Promise<void> {
  await app.register(async (context) => {
    readForms(context);
    context.setErrorHandler(sendErrorPage);
    for (const { path, get, post } of routes) {
      if (get) context.get(path, routeOf(parts, get));
      if (post) context.post(path, routeOf(parts, post));
    }
  });
}

function routeOf(parts: ApiParts, handler: PageHandler) {
  return {
    // Pages contain secrets in hidden fields and text from the request. The size of a compressed page could reveal
    // secrets.
    compress: false as const,
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admitVisit(parts, request, reply),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const result = await handler(toVisit(parts, request, reply));
      return result instanceof SeeOther ? sendRedirect(reply, result) : sendPage(reply, result);
    },
  };
}

async function findVisitor({ identity, config }: ApiParts, secret: string): Promise<Principal> {
  const account = await authenticateSession(identity, secret);
  return account === null || isRefusedAccount(config, account.email) ? ANONYMOUS : account;
}

/**
 * Authenticates a request for a page, counts it against its rate limit and checks its origin, before the form is read.
 */
async function admitVisit(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const secret = createCookieJar(request, reply).get('session');
  const { principal } = secret
    ? await limitUnknown(parts, { request, reply, credential: secret }, async () => ({
        principal: await findVisitor(parts, secret),
      }))
    : { principal: ANONYMOUS };
  request.principal = principal;
  await countRequest(parts, request.principal, request, reply);
  // This includes sign-ins: another site must not be able to sign a browser in to an account that the site chose.
  if (request.method === 'POST') refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
}

function toVisit(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    parts,
    request,
    reply,
    cookies: createCookieJar(request, reply),
    account: request.principal?.kind === 'account' ? request.principal : null,
    address: request.ip,
    origin: originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null }),
    form: request.body,
    query: request.query as Record<string, unknown>,
  };
}

const PRIVATE_HEADERS = {
  // With "no-referrer", browsers would send "Origin: null" from our own forms. Other sites get no referrer either way.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * Returns the headers of a page. Their policy allows one stylesheet and forms that lead only to this site, but no
 * scripts, images or frames. Chrome also applies the rule for forms to every redirect that follows. The consent page
 * omits the rule: it redirects to an application, which may redirect the browser to yet another site.
 */
export function pageHeaders({ formsMayLeave }: Pick<Page, 'formsMayLeave'> = {}): Record<string, string> {
  const policy = ["default-src 'none'", `style-src ${STYLE_SOURCE}`, "base-uri 'none'", "frame-ancestors 'none'"];
  if (!formsMayLeave) policy.push("form-action 'self'");
  return { ...PRIVATE_HEADERS, 'content-security-policy': policy.join('; ') };
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers(pageHeaders(page))
    .type('text/html; charset=utf-8')
    .send(renderDocument(page));
}

function sendRedirect(reply: FastifyReply, { location }: SeeOther): FastifyReply {
  return reply.headers(PRIVATE_HEADERS).redirect(location, 303);
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  RATE_LIMITED: 'Too many attempts',
  ORIGIN_DENIED: 'This request came from another site',
  TOO_LARGE: 'The form is too large',
  UNAVAILABLE: 'Temporarily unavailable',
  INTERNAL: 'Something went wrong',
};

const DEFAULT_TITLE = 'This did not work';

const ADVICE: Partial<Record<ErrorCode, string>> = {
  ORIGIN_DENIED:
    'The forms of this site can be submitted only from its own pages. Open the page again and submit the form there.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the form as application/x-www-form-urlencoded in UTF-8, without a Content-Encoding.',
  INTERNAL:
    'This is an error on our side. Try again. If it happens again, send the operator of this site the request id below.',
};

/**
 * Sends an error page for any thrown value. The page shows the error, advice, and the request id to search the log for.
 */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, status, message } = startErrorResponse(error, request, reply);
  const title = TITLES[code] ?? DEFAULT_TITLE;
  return sendPage(reply, {
    title,
    status,
    failed: true,
    body: html`<div class="card stack">
<h1>${title}</h1>
<p role="alert">${ADVICE[code] ?? message}</p>
<p><a class="tap" href="/auth/account">Go to your account</a></p>
<p class="hint">Request ${request.id}</p>
</div>`,
  });
}
