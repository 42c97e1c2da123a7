import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../access/index.ts';

/** One line a request. The query is left out: what callers put there is theirs. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.url.startsWith('/health/')) return;
    request.log.info({
      method: request.method,
      path: request.url.split('?', 1)[0]?.slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      caller: callerOf(request.principal),
    });
  });
}

function callerOf(principal: Principal | null): string | undefined {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : undefined;
}
