import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/index.ts';
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

/** Secrets of ours, found by their prefix: sooner or later somebody puts a key where its id belongs. */
const SECRET = /(alm_[a-z]{3}_)\w+/g;

function loggedPath(url: string): string {
  return pathOf(url).slice(0, 200).replace(SECRET, '$1[secret]');
}

function callerOf(principal: Principal | null): string | undefined {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : undefined;
}
