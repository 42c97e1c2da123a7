import type { FastifyReply, FastifyRequest } from 'fastify';
import { count } from '../../platform/index.ts';
import { toFault } from '../edge/error-boundary.ts';
import { operationOf } from '../edge/watch-requests.ts';

/** OAuth has no word of its own for "too often" here; this is what its clients know how to wait for. */
const WORDS: Readonly<Record<number, string>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** What is refused before the provider sees it is told in the words of OAuth: its clients read no others (RFC 6749, 5.2). */
export function answerByOAuth(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toFault(error, request);
  const { status } = fault;
  if (fault.code === 'RATE_LIMITED') count('rate_limited_total', { operation: operationOf(request) });
  if (status === 429 || status === 503) reply.header('retry-after', String(fault.details.retryAfter ?? 1));
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error: WORDS[status] ?? 'invalid_request', error_description: fault.message });
}
