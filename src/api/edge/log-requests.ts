import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/index.ts';
import { withoutSecretForms } from '../../platform/index.ts';
import { pathOf } from './path.ts';

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
}

/** One line a request. The query is left out: what callers put there is theirs. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (request.url.startsWith('/health/')) return;
  request.log.info({
    method: request.method,
    path: loggedPath(request.url),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    caller: callerOf(request.principal),
  });
}

/** Cut last: half a secret may not look like one. */
function loggedPath(url: string): string {
  return withoutSecretForms(pathOf(url)).slice(0, 200);
}

function callerOf(principal: Principal | null): string | undefined {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : undefined;
}
