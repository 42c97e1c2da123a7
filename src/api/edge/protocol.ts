import type { ServerOptions } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';

/** Node would answer a request without a Host header by itself, with an empty body. */
export const SERVER_OPTIONS: ServerOptions = { requireHostHeader: false };

/** Gives requests that Node would refuse on its own the same envelope, headers and log line as any other. */
export function answerOddRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const missing = request.raw.httpVersion !== '1.0' && request.headers.host === undefined;
    done(missing ? new Fault('INVALID_REQUEST', 'The Host header is missing.') : undefined);
  });
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1), which is better than an answer without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
}
