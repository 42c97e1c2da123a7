import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../access/index.ts';
import { countRequest, limitUnknown } from '../../edge/admit.ts';
import { authenticateBrowser, findSecondGuest, presentedCookies } from '../../edge/authenticate.ts';
import { createCookieJar } from '../../edge/cookies.ts';
import { openUploadForm } from '../../edge/multipart.ts';
import { ownOrigins, refuseForeignOrigin } from '../../edge/same-origin.ts';
import { streamUploads } from '../../edge/upload-body.ts';
import type { ApiParts } from '../../parts.ts';
import { RenderedBody } from '../../responses.ts';
import { readForms } from '../forms.ts';
import { ownAddress, SeeOther, takeNotice } from '../visit.ts';
import type { ConsolePage, Surroundings } from './document.ts';
import { renderConsole } from './document.ts';
import { describeError } from './error-page.ts';
import { describeEndedSession, hasEndedSession } from './session-ended.ts';
import { type ConsoleHandler, type ConsoleRoute, type ConsoleVisit, SendAgain } from './visit.ts';
import { Visitor } from './visitor.ts';

/** Registers the pages of the console in their own context, where bodies are forms and errors are pages. */
export async function serveConsole(
  app: FastifyInstance,
  parts: ApiParts,
  routes: readonly ConsoleRoute[],
): Promise<void> {
  await app.register(async (context) => {
    readForms(context);
    context.setErrorHandler(sendConsoleError);
    for (const { path, get, post, formBytes } of routes) {
      if (get) context.get(path, routeOf(parts, get));
      if (post) context.post(path, { ...routeOf(parts, post), ...(formBytes && { bodyLimit: formBytes }) });
    }
  });
  await app.register(async (context) => {
    streamUploads(context);
    context.setErrorHandler(sendConsoleError);
    for (const { path, upload } of routes) if (upload) context.post(path, routeOf(parts, upload));
  });
}

function routeOf(parts: ApiParts, handler: ConsoleHandler) {
  return {
    // The size of a compressed page could reveal its secrets, because it also contains text from the request.
    compress: false as const,
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admitVisitor(parts, request, reply),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (hasEndedSession(request)) return sendSessionEnded(request, reply);
      const visit = toVisit(parts, request, reply);
      const result = await handler(visit);
      if (result instanceof RenderedBody) return result.send(reply.header('cache-control', 'no-store'));
      if (result instanceof SeeOther) {
        return reply.headers(PRIVATE_HEADERS).redirect(result.location, result instanceof SendAgain ? 307 : 303);
      }
      return sendConsolePage(reply, result, surroundingsOf(visit, result));
    },
  };
}

/** Authenticates a visitor by cookies, counts the request and checks its origin, before the form is read. */
export async function admitVisitor(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await authenticateVisitor(parts, request, reply);
  if (request.method === 'POST') refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
}

/** Authenticates a visitor by cookies and counts the request. */
export async function authenticateVisitor(
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const credential = presentedCookies(request);
  const { principal } =
    credential === null
      ? { principal: ANONYMOUS }
      : await limitUnknown(parts, { request, reply, credential }, () => authenticateBrowser(parts, request));
  request.principal = principal;
  await countRequest(parts, principal, request, reply);
}

export function toVisit(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): ConsoleVisit {
  return {
    visitor: new Visitor(parts, request, reply),
    findGuest: async () => {
      const guest = await findSecondGuest(parts, request);
      return guest && new Visitor(parts, request, reply, guest);
    },
    cookies: createCookieJar(request, reply),
    siteUrl: parts.siteUrl(),
    hasMailServer: parts.config.mail !== undefined,
    isLoopback: parts.config.loopback,
    now: parts.clock.now(),
    address: request.url,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    form: request.body,
    openUpload: (maxBytes) => openUploadForm(request, maxBytes),
  };
}

/** Returns what surrounds the page of a visit. Takes the notice for it, which is shown once and not with an error. */
export function surroundingsOf(visit: ConsoleVisit, { failed }: ConsolePage): Surroundings {
  const notice = failed ? null : takeNotice(visit, visit.address);
  const { principal, isNewcomer } = visit.visitor;
  return { principal, address: visit.address, notice, isNewcomer };
}

/** Scripts, styles, images and requests of this site only; no inline script or style, no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PRIVATE_HEADERS = {
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  // Some addresses also have a public page, which is the same for all readers without a cookie.
  vary: 'Cookie',
};

export function sendConsolePage(reply: FastifyReply, page: ConsolePage, surroundings: Surroundings): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({ ...PRIVATE_HEADERS, 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(renderConsole(page, surroundings));
}

/** Sends the page for a form of a session that ended, and removes its cookie. */
function sendSessionEnded(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = describeEndedSession(request, reply);
  return sendConsolePage(reply, page, { principal: ANONYMOUS, address: ownAddress(request.url) });
}

/** Sends an error page of the console for any thrown value. */
export function sendConsoleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const surroundings = { principal: request.principal ?? ANONYMOUS, address: ownAddress(request.url) };
  return sendConsolePage(reply, describeError(error, request, reply), surroundings);
}
