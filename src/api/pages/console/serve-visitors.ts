import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiParts } from '../../parts.ts';
import { RenderedBody } from '../../responses.ts';
import { SeeOther } from '../visit.ts';
import { sendConsoleError, sendConsolePage, surroundingsOf, toVisit } from './serve-console.ts';
import type { ConsoleHandler } from './visit.ts';

/**
 * Returns the function that serves a console page at an address that also has a public page. `admitVisitor` must have
 * admitted the request.
 */
export function visitorPage(parts: ApiParts, handler: ConsoleHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The size of a compressed page could reveal its secrets. The public page at this address is compressed.
    request.headers['x-no-compression'] = 'true';
    const visit = toVisit(parts, request, reply);
    try {
      const result = await handler(visit);
      if (result instanceof RenderedBody) throw new Error('A page with a public form does not send files.');
      if (!(result instanceof SeeOther)) return sendConsolePage(reply, result, surroundingsOf(visit, result));
      return reply.headers({ 'cache-control': 'no-store', vary: 'Cookie' }).redirect(result.location, 303);
    } catch (error) {
      return sendConsoleError(error, request, reply);
    }
  };
}
