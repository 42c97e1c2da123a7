import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../../../contract/index.ts';
import { startErrorResponse } from '../../edge/error-response.ts';
import { ownAddress } from '../visit.ts';
import type { ConsolePage } from './document.ts';
import { describeProblem } from './problem-words.ts';
import { type NextStep, renderProblem } from './states.ts';

/** Sets the status and headers of an error response. @returns the page that explains the error */
export function describeError(error: unknown, request: FastifyRequest, reply: FastifyReply): ConsolePage {
  return errorPage(startErrorResponse(error, request, reply), request);
}

/** Returns the page that explains a fault. */
export function errorPage(
  fault: Fault,
  { id, method, url }: Pick<FastifyRequest, 'id' | 'method' | 'url'>,
): ConsolePage {
  // What is wrong with a form that was sent is wrong in its fields, not in its address.
  const isForm = fault.code === 'INVALID_REQUEST' && method === 'POST';
  const title = isForm ? 'Something in this form is not valid' : describeProblem(fault.code).title;
  return {
    title,
    status: fault.status,
    failed: true,
    body: renderProblem(fault, {
      title,
      level: 1,
      requestId: id,
      steps: stepsAfter(fault),
      // Each form is sent to the address of its page.
      returnTo: ownAddress(url),
      // A form would have to be filled in and sent again, so there is no link that repeats it.
      ...(method === 'GET' && { retry: url }),
    }),
  };
}

/** Returns where a visitor can continue from a page that failed. */
function stepsAfter({ status }: Fault): NextStep[] {
  const start = { href: '/', label: 'Go to the start page' };
  return status === 404 ? [{ href: '/search', label: 'Search markets and series' }, start] : [start];
}
