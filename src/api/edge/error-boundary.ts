import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CATALOGUE, Fault } from '../../contract/index.ts';
import { isRetryableConflict, isUnavailable } from '../../platform/index.ts';
import { errorBody } from './envelope.ts';

/** The only place where an error becomes a response. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => sendFault(toFault(error, request), request, reply));
}

export function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = ERROR_CATALOGUE[fault.code];
  reply.header('x-request-id', request.id);
  if (status === 401 || fault.details.missingScope) {
    reply.header('www-authenticate', challengeFor(fault, request));
  }
  if (status === 429 || status === 503) reply.header('retry-after', String(fault.details.retryAfter ?? 1));
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(request.url, fault.code, fault.message, request.id));
}

/** RFC 6750: a request without a credential is told the scheme only; one with a bad credential is told what is wrong. */
function challengeFor(fault: Fault, request: FastifyRequest): string {
  const challenge = 'Bearer realm="almanac"';
  if (fault.details.missingScope)
    return `${challenge}, error="insufficient_scope", scope="${fault.details.missingScope}"`;
  return request.headers.authorization === undefined ? challenge : `${challenge}, error="invalid_token"`;
}

function toFault(error: Error, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error;
  if (isRetryableConflict(error))
    return new Fault('UNAVAILABLE', 'The database was busy with a conflicting change. Try again.');
  if (isUnavailable(error)) {
    request.log.error({ err: error }, 'database unavailable');
    return new Fault('UNAVAILABLE', 'The database cannot be reached. Try again shortly.', { retryAfter: 5 });
  }
  const refused = frameworkFault(error as FastifyError);
  if (refused) return refused;
  request.log.error({ err: error }, 'unexpected fault');
  return new Fault('INTERNAL', 'An unexpected fault. The log has the details under this request id.');
}

/** What the HTTP framework refuses before any code of ours runs. */
function frameworkFault(error: FastifyError): Fault | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Fault('TOO_LARGE', 'The body is over the size limit.');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Fault('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type header cannot be read. Send application/json.');
  }
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new Fault('INVALID_REQUEST', `The request cannot be read: ${error.message || STATUS_CODES[status]}.`)
    : null;
}
