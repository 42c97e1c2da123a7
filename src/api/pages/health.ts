import type { FastifyInstance } from 'fastify';
import type { ApiParts } from '../parts.ts';

/**
 * For whoever keeps the process running. Neither asks the database: a slow one must not get every process restarted
 * (live), nor taken out of rotation at the same moment (ready).
 */
export function registerHealth(app: FastifyInstance, parts: ApiParts, isStopping: () => boolean): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const reason = isStopping() ? 'stopping' : parts.database.isOpen() ? null : 'database closed';
    if (reason === null) return { status: 'ready' };
    return reply.code(503).header('retry-after', '5').send({ status: 'not_ready', reason });
  });
}
