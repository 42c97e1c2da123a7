import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { ApiParts } from '../parts.ts';
import { countRequest } from './admit.ts';
import { sendError, sendFault } from './error-boundary.ts';
import { logRequest } from './log-requests.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { watchRequest } from './watch-requests.ts';

/**
 * Answers an address that the router cannot decode. Such a request meets none of the hooks of the others, so that their
 * work is done here: headers, the limit of the caller's address, the log line.
 */
export async function answerBadAddress(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  watchRequest(request, reply);
  reply.headers(SECURITY_HEADERS);
  reply.raw.once('close', () => logRequest(request, reply));
  try {
    await countRequest(parts, ANONYMOUS, request, reply);
  } catch (error) {
    sendError(error, request, reply);
    return;
  }
  sendFault(new Fault('INVALID_REQUEST', 'The address of the request cannot be read.'), request, reply);
}
