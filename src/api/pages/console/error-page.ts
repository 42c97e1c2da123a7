import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../../../contract/index.ts';
import { startErrorResponse } from '../../edge/error-response.ts';
import type { ConsolePage } from './document.ts';
import { describeProblem } from './problem-words.ts';
import { type NextStep, renderProblem } from './states.ts';

/** Sets the status and headers of an error response. @returns the page that explains the error */
export function describeError(error: unknown, request: FastifyRequest, reply: FastifyReply): ConsolePage {
  const fault = startErrorResponse(error, request, reply);
  return {
    title: describeProblem(fault.code).title,
    status: fault.status,
    failed: true,
    body: renderProblem(fault, {
      level: 1,
      requestId: request.id,
      steps: stepsAfter(fault),
      // A form would have to be filled in and sent again, so there is no link that repeats it.
      ...(request.method === 'GET' && { retry: request.url }),
    }),
  };
}

/** Returns where a visitor can continue from a page that failed. */
function stepsAfter({ status }: Fault): NextStep[] {
  const start = { href: '/', label: 'Go to the start page' };
  return status === 404 ? [{ href: '/search', label: 'Search markets and series' }, start] : [start];
}
