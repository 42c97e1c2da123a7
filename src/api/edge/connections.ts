import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/index.ts';
import { invalidHostHeader, plainHttpRefused } from './faults.ts';

/** Maximum time between two of Node's checks for slow connections. */
const MAX_CHECK_INTERVAL_MS = 5_000;

interface ServerTimeouts {
  /** Milliseconds in which a whole request must arrive. */
  readonly requestTimeout: number;
  /** Milliseconds in which the head of a request must arrive. */
  readonly headMs: number;
}

export function serverOptions({ requestTimeout, headMs }: ServerTimeouts): ServerOptions {
  return {
    requestTimeout,
    // Otherwise Node itself responds to a request without a Host header, with an empty body.
    requireHostHeader: false,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headMs / 4),
  };
}

/** Refuses requests that Node itself would refuse, so that they get the usual error format, headers and log line. */
export function handleProtocolErrors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = request.raw.rawHeaders.filter(
      (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
    ).length;
    // With two Host headers, a proxy and this service could use different ones (RFC 9112, 3.2).
    const isInvalid = hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0');
    done(isInvalid ? invalidHostHeader() : undefined);
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would send a response without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
}

/**
 * Refuses requests that did not come through the proxy that terminates TLS, unless the service listens on loopback.
 * Health checks are allowed, because the process supervisor sends them directly and without a credential.
 */
export function refusePlainHttp(app: FastifyInstance, config: Config): void {
  if (config.loopback) return;
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !request.url.startsWith('/health/')) {
      throw plainHttpRefused(String(config.siteUrl));
    }
  });
}

const SWEEP_MS = 50;

/**
 * Lets the service stop as soon as the requests in flight are answered. Node and Fastify close only the connections
 * that are idle when the service begins to stop. They would wait for the client to close a connection that becomes idle
 * later, or one that a browser opened in advance and never used.
 */
export function closeConnectionsOnStop(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  let stopping = false;
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    stopping = true;
    if (app.server.listening) {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      // Closes connections whose response headers were sent before the stop and therefore lack `connection: close`.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      app.server.once('close', () => clearInterval(sweep));
    }
    done();
  });
}
