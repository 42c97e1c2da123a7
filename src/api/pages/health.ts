import type { FastifyInstance } from 'fastify';
import type { ApiParts } from '../parts.ts';

/**
 * Registers the health checks for the process supervisor: `live` reports that the process responds, `ready` that it
 * accepts requests. Neither queries the database; otherwise a slow database would cause all processes to be restarted
 * or taken out of rotation at the same time.
 */
export function registerHealth(app: FastifyInstance, parts: ApiParts, isStopping: () => boolean): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const reason = isStopping() ? 'stopping' : parts.database.findProblem();
    if (reason === null) return { status: 'ready' };
    return reply.code(503).header('retry-after', '5').send({ status: 'not_ready', reason });
  });
}
