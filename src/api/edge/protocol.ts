import type { ServerOptions } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';

/** How often Node looks for connections that are too slow, at the least. */
const MAX_BETWEEN_CHECKS_MS = 5_000;

interface Times {
  /** How long a request may take to arrive. */
  readonly requestTimeout: number;
  /** And its head. */
  readonly headMs: number;
}

export function serverOptions({ requestTimeout, headMs }: Times): ServerOptions {
  return {
    requestTimeout,
    // Node would answer a request without a Host header by itself, with an empty body.
    requireHostHeader: false,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.min(MAX_BETWEEN_CHECKS_MS, headMs / 4),
  };
}

/** Gives requests that Node would refuse on its own the same envelope, headers and log line as any other. */
export function answerOddRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = request.raw.rawHeaders.filter(
      (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
    ).length;
    // Two could be understood differently by a proxy and by us (RFC 9112, 3.2).
    const wrong = hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0');
    done(wrong ? new Fault('INVALID_REQUEST', 'The Host header must be there, once.') : undefined);
  });
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1), which is better than an answer without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
}
