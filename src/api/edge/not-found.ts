import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../contract/index.ts';
import { sendFault } from './error-boundary.ts';
import { pathOf } from './path.ts';

/**
 * Answers paths that nobody handles, methods that a path does not have, and the question which it has. Register before
 * any route.
 *
 * @param count counts the request against its limit, or throws
 */
export function handleUnknownRoutes(
  app: FastifyInstance,
  count: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  const methodsOf = collectMethods(app);
  const faultFor = (request: FastifyRequest, reply: FastifyReply): Fault => {
    const methods = methodsOf(pathOf(request.url));
    if (methods.length === 0) {
      return new Fault('NOT_FOUND', 'There is nothing at this address. /docs lists what there is.');
    }
    const list = methods.join(', ');
    reply.header('allow', list);
    return new Fault('METHOD_NOT_ALLOWED', `This address answers ${list} only.`);
  };
  // Before the body is read: what is in it cannot matter, and must not change the answer.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    count(request, reply).then(() => done(faultFor(request, reply)), done);
  });
  // Routes with OPTIONS are for the preflight of a browser; of any other they know nothing.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = isPlainOptions(request) ? methodsOf(pathOf(request.url)) : [];
    if (!methods.includes('OPTIONS')) return done();
    count(request, reply).then(() => reply.code(204).header('allow', methods.join(', ')).send(), done);
  });
  // For routes that find only later that they have nothing to show, such as those of static files.
  app.setNotFoundHandler((request, reply) => sendFault(faultFor(request, reply), request, reply));
}

function isPlainOptions({ method, headers }: FastifyRequest): boolean {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && !isPreflight;
}

/** Watches routes being added, and then says which methods a path answers. */
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
