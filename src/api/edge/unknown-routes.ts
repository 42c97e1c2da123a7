import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import type { Fault } from '../../contract/index.ts';
import type { ApiParts } from '../parts.ts';
import { acceptsPage } from './accepts-page.ts';
import { countRequest } from './admit.ts';
import { sendError } from './error-response.ts';
import { methodNotAllowed, routeNotFound, undecodableUrl } from './faults.ts';
import { logRequest } from './log-requests.ts';
import { pathOf } from './paths.ts';
import { measureRequest } from './request-telemetry.ts';
import { SECURITY_HEADERS } from './response-headers.ts';

/** How a browser that opened an unknown address is admitted, and how it gets the error. */
export interface UnknownPages {
  admit(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/**
 * Responds to unknown paths, to methods that a path does not support, and to OPTIONS requests, which list the methods of
 * a path. Register before any route.
 */
export function handleUnknownRoutes(app: FastifyInstance, parts: ApiParts, pages: UnknownPages): void {
  const methodsOf = collectMethods(app);
  const faultFor = (request: FastifyRequest, reply: FastifyReply): Fault => {
    const methods = methodsOf(pathOf(request.url));
    if (methods.length === 0) return routeNotFound();
    const list = methods.join(', ');
    reply.header('allow', list);
    return methodNotAllowed(list);
  };
  const count = (request: FastifyRequest, reply: FastifyReply) => countRequest(parts, ANONYMOUS, request, reply);
  // Responds before the body is read, because the body must not change the response.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    if (!acceptsPage(request)) {
      count(request, reply).then(() => done(faultFor(request, reply)), done);
      return;
    }
    const send = (error: unknown) => pages.sendError(error, request, reply);
    pages
      .admit(parts, request, reply)
      .then(() => send(faultFor(request, reply)), send)
      // Without this, a request whose page cannot be rendered would get no response.
      .catch(done);
  });
  // The OPTIONS routes themselves handle only the preflight requests of browsers.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = isPlainOptions(request) ? methodsOf(pathOf(request.url)) : [];
    if (!methods.includes('OPTIONS')) return done();
    count(request, reply).then(() => reply.code(204).header('allow', methods.join(', ')).send(), done);
  });
  // Called for routes that match a path but have nothing to send, such as those of static files.
  app.setNotFoundHandler((request, reply) => {
    const send = acceptsPage(request) ? pages.sendError : sendError;
    return send(faultFor(request, reply), request, reply);
  });
}

function isPlainOptions({ method, headers }: FastifyRequest): boolean {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && !isPreflight;
}

/** Records the routes that are added. @returns a function that lists the methods of a path */
function collectMethods(app: FastifyInstance): (path: string) => string[] {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const known = routes.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() };
    routes.set(route.url, known);
    for (const method of [route.method].flat()) known.methods.add(method);
  });
  return (path) => {
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  };
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}$`);
}

/**
 * Responds to a request whose URL the router cannot decode. The hooks do not run for it, so the headers, the rate limit
 * of the caller's network, the metrics and the log line are handled here.
 */
export async function answerUndecodableUrl(
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
  pages: Pick<UnknownPages, 'sendError'>,
): Promise<void> {
  measureRequest(request, reply);
  reply.headers(SECURITY_HEADERS);
  reply.raw.once('close', () => logRequest(request, reply));
  try {
    await countRequest(parts, ANONYMOUS, request, reply);
    throw undecodableUrl();
  } catch (error) {
    (acceptsPage(request) ? pages.sendError : sendError)(error, request, reply);
  }
}
