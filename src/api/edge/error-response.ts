import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, usesSearchEnvelope } from '../../contract/index.ts';
import {
  count,
  findStorageProblem,
  isMissingReference,
  isRetryableConflict,
  isUnavailable,
} from '../../platform/index.ts';
import { databaseConflict, databaseUnavailable, internalError, storageFull } from '../faults.ts';
import { formTooLarge, incompleteRequest, unreadableContentType, unreadableRequest } from './faults.ts';
import { BASE_PATH, pathOf, RESOURCE_METADATA_PATH } from './paths.ts';
import { operationName } from './request-telemetry.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The public origin of the service, for the challenges in 401 responses. */
    siteUrl: () => string;
  }
}

// Importing the module would also load a web client, which takes 40 ms and is not used here.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The parts of an error response that do not depend on the format of its body. */
export interface ErrorHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface FailedRequest {
  readonly requestId: string;
  /** The label of the request in metrics. */
  readonly operation: string;
  /** Returns the challenge for a 401 response. */
  readonly challenge?: () => string;
}

/**
 * Returns the status and headers of the response to a fault, and counts the request if a rate limit refused it. JSON
 * errors, error pages, OAuth errors and responses to unreadable requests all use it and add only their body. The OAuth
 * provider writes the protocol errors of its own endpoints.
 */
export function errorHead(fault: Fault, { requestId, operation, challenge }: FailedRequest): ErrorHead {
  const { status, code, details } = fault;
  if (code === 'RATE_LIMITED') count('rate_limited_total', { operation });
  const needsChallenge = status === 401 || details.missingScope !== undefined;
  return {
    status,
    headers: {
      'x-request-id': requestId,
      'cache-control': 'no-store',
      ...(needsChallenge && challenge && { 'www-authenticate': challenge() }),
      // The client did not send the request in time, so the connection is not kept for another one.
      ...(status === 408 && { connection: 'close' }),
      ...((status === 429 || status === 503) && { 'retry-after': String(details.retryAfter ?? 1) }),
    },
  };
}

/** Sets the status and headers of an error response, without sending it. @returns the fault to report in its body */
export function startErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): Fault {
  const fault = toFault(error, request);
  const { status, headers } = errorHead(fault, {
    requestId: request.id,
    operation: operationName(request),
    challenge: () => challengeFor(fault, request),
  });
  reply.code(status).headers(headers);
  return fault;
}

/** Sends any thrown value, which need not be an `Error`, as the JSON error of the API. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = startErrorResponse(error, request, reply);
  return reply.type('application/json; charset=utf-8').send(errorBody(request.url, fault, request.id));
}

/** Makes an app respond to every error with the JSON error of the API. Contexts with other formats override it. */
export function handleErrors(app: FastifyInstance, siteUrl: () => string): void {
  app.decorate('siteUrl', siteUrl);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Returns the JSON body of an error. Search and Download have their own format. */
export function errorBody(url: string, { code, message }: Fault, requestId: string): object {
  return usesSearchEnvelope(withoutBasePath(pathOf(url)))
    ? { ok: false, error: code, message }
    : { error: { code, message, request_id: requestId } };
}

function withoutBasePath(path: string): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : '';
}

/**
 * Returns the WWW-Authenticate header. It names the error if the credential was invalid or lacks a scope (RFC 6750). If
 * the credential was missing or invalid, it also gives the URL of the metadata that describes how to get a token (RFC
 * 9728).
 */
function challengeFor({ details }: Fault, request: FastifyRequest): string {
  const challenge = 'Bearer realm="almanac"';
  if (details.missingScope) return `${challenge}, error="insufficient_scope", scope="${details.missingScope}"`;
  const metadata = `resource_metadata="${request.server.siteUrl()}${RESOURCE_METADATA_PATH}"`;
  return request.headers.authorization === undefined
    ? `${challenge}, ${metadata}`
    : `${challenge}, error="invalid_token", ${metadata}`;
}

/** Returns the fault to report for any thrown value. Errors of the service itself are logged here. */
export function toFault(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error;
  if (isAbortedRequest(error)) return incompleteRequest();
  if (isRetryableConflict(error)) return databaseConflict();
  if (isMissingReference(error)) {
    // For example, the account of this request was removed. If a bug is the cause, every retry logs it again.
    request.log.warn({ err: error }, 'something that the request needs was removed while it ran');
    return databaseConflict();
  }
  if (isUnavailable(error)) {
    const problem = findStorageProblem(error);
    // A full disk is reported once by the database, with its folder; each refused write needs no stack.
    if (problem === null) request.log.error({ err: error }, 'database unavailable');
    else request.log.warn({ reason: problem }, 'database unavailable');
    return problem === null ? databaseUnavailable() : storageFull();
  }
  const refusal = error instanceof Error ? toFrameworkFault(error) : null;
  if (refusal) return refusal;
  request.log.error({ err: error }, 'unexpected error');
  return internalError();
}

/** Returns whether this is Node's error for a body that ended early. A broken database connection has the same code. */
function isAbortedRequest(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

/** Returns the fault for a request that the HTTP framework or one of its plugins refused, or null for any other error. */
function toFrameworkFault(error: Error & { code?: unknown; statusCode?: unknown; expose?: unknown }): Fault | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return formTooLarge();
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unreadableContentType();
  // An error from another library can have the status of a response that the library received.
  const isOfFramework = String(error.code).startsWith('FST_');
  const { statusCode } = error;
  if (!(isOfFramework || error.expose === true) || typeof statusCode !== 'number') return null;
  if (statusCode < 400 || statusCode > 499) return null;
  return unreadableRequest(isOfFramework ? error.message.replace(/\.$/, '') : STATUS_CODES[statusCode]);
}
