import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/index.ts';
import { runInRequest, withoutSecretForms } from '../../platform/index.ts';
import { BASE_PATH, pathOf } from './paths.ts';

/** Sets the request id on every response and writes one log line for every request. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // The rest of the request runs within this call, so that its jobs and the other lines of the log have the same id.
    runInRequest(request.id, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
}

/** Writes one log line for a request. The query is omitted because it can hold private data. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (request.url.startsWith('/health/')) return;
  request.log.info({
    method: request.method,
    path: loggedPath(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    caller: callerId(request.principal),
  });
}

/**
 * Removes secrets from a path before it is shortened, because a truncated secret might not be recognized. Of a path that
 * contains the credential, only the pattern is logged.
 */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const operation = routeOptions?.config?.operation;
  if (operation?.credential === 'path') return BASE_PATH + operation.path;
  return withoutSecretForms(pathOf(url)).slice(0, 200);
}

function callerId(principal: Principal | null): string | undefined {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the caller's request id if it is a UUID, so that both sides can find the request in their logs, or a new id.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && UUID.test(sent) ? sent : randomUUID();
}
