import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';
import { sendFault } from './error-boundary.ts';

/** Answers paths that nobody handles, and methods that a path does not have. Register before any route. */
export function handleUnknownRoutes(app: FastifyInstance): void {
  const methodsByPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const known = methodsByPattern.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() };
    methodsByPattern.set(route.url, known);
    for (const method of [route.method].flat()) known.methods.add(method);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = [...methodsByPattern.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) {
      return sendFault(
        new Fault('NOT_FOUND', 'There is nothing at this address. /docs lists what there is.'),
        request,
        reply,
      );
    }
    const list = [...new Set(allowed)].sort().join(', ');
    reply.header('allow', list);
    return sendFault(new Fault('METHOD_NOT_ALLOWED', `This address answers ${list} only.`), request, reply);
  });
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}$`);
}
