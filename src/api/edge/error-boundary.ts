import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../contract/index.ts';
import { count, isRetryableConflict, isUnavailable } from '../../platform/index.ts';
import { errorBody } from './envelope.ts';
import { RESOURCE_METADATA } from './resource-metadata.ts';
import { operationOf } from './watch-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin users see, which a refusal names. */
    siteUrl: () => string;
  }
}

// Importing the module would load a web client of 40 ms with it, which nobody here uses.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The only place where an error becomes the response to a request. */
export function handleErrors(app: FastifyInstance, siteUrl: () => string): void {
  app.decorate('siteUrl', siteUrl);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Answers with whatever was thrown, which need not be an `Error`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFault(toFault(error, request), request, reply);
}

export function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = fault;
  if (fault.code === 'RATE_LIMITED') count('rate_limited_total', { operation: operationOf(request) });
  reply.header('x-request-id', request.id);
  if (status === 401 || fault.details.missingScope) {
    reply.header('www-authenticate', challengeFor(fault, request));
  }
  // There is no use for a connection whose client does not send.
  if (status === 408) reply.header('connection', 'close');
  if (status === 429 || status === 503) reply.header('retry-after', String(fault.details.retryAfter ?? 1));
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(request.url, fault.code, fault.message, request.id));
}

/**
 * RFC 6750: a request without a credential is told the scheme only; one with a bad credential is told what is wrong.
 * Both are told where to find out how to get a good one (RFC 9728).
 */
function challengeFor(fault: Fault, request: FastifyRequest): string {
  const challenge = 'Bearer realm="almanac"';
  if (fault.details.missingScope)
    return `${challenge}, error="insufficient_scope", scope="${fault.details.missingScope}"`;
  const metadata = `resource_metadata="${request.server.siteUrl()}${RESOURCE_METADATA}"`;
  return request.headers.authorization === undefined
    ? `${challenge}, ${metadata}`
    : `${challenge}, error="invalid_token", ${metadata}`;
}

/** What a caller is told of whatever was thrown. What is a fault of ours is logged here. */
export function toFault(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error;
  if (isGoneClient(error)) return new Fault('INVALID_REQUEST', 'The request did not arrive whole.');
  if (isRetryableConflict(error))
    return new Fault('UNAVAILABLE', 'The database was busy with a conflicting change. Try again.');
  if (isUnavailable(error)) {
    request.log.error({ err: error }, 'database unavailable');
    return new Fault('UNAVAILABLE', 'The database cannot be reached. Try again shortly.', { retryAfter: 5 });
  }
  const refused = error instanceof Error ? frameworkFault(error) : null;
  if (refused) return refused;
  request.log.error({ err: error }, 'unexpected fault');
  return new Fault('INTERNAL', 'An unexpected fault. The log has the details under this request id.');
}

/** Node's error for a body that ended early. Its code is that of a broken database connection, too. */
function isGoneClient(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

/** What the HTTP framework and its plugins refuse before any code of ours runs. */
function frameworkFault(error: Error & { code?: unknown; statusCode?: unknown; expose?: unknown }): Fault | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Fault('TOO_LARGE', 'The body is over the size limit.');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Fault('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type header cannot be read. Send application/json.');
  }
  // Other libraries put a status on their errors, too (that of an answer they got, say): those are not the caller's.
  const ofFramework = String(error.code).startsWith('FST_');
  const { statusCode } = error;
  if (!(ofFramework || error.expose === true) || typeof statusCode !== 'number') return null;
  if (statusCode < 400 || statusCode > 499) return null;
  const reason = ofFramework ? error.message.replace(/\.$/, '') : STATUS_CODES[statusCode];
  return new Fault('INVALID_REQUEST', `The request cannot be read: ${reason}.`);
}
