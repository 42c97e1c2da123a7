import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * Lets a stop end as soon as the requests in flight are answered. By themselves Node and Fastify close the connections
 * that are idle when the stop begins, and wait for the others: for one that falls idle later until its client lets go,
 * for one that never sent anything (browsers open such ahead of need) for ever.
 */
export function letConnectionsEnd(app: FastifyInstance): void {
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
      // For replies whose head was sent before: they could not be told that their connection ends.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      app.server.once('close', () => clearInterval(sweep));
    }
    done();
  });
}
