import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parsePart } from '../../src/api/edge/validate.ts';
import type { Operation } from '../../src/contract/index.ts';

/** Both paths accept the same body and return the same errors, in the envelope of their family. */
export const ECHO_PATHS = { resource: '/api/v1/echo', search: '/api/market-data/echo' } as const;

const echo: Operation = {
  group: 'Access',
  method: 'POST',
  path: '/v1/echo',
  action: 'guest.create',
  summary: 'For tests',
  body: z.strictObject({ name: z.string(), deep: z.unknown().optional() }),
  status: 200,
  reply: { data: z.unknown(), body: z.unknown(), wrap: (data) => data },
};

export function addEchoRoutes(app: FastifyInstance): void {
  for (const url of Object.values(ECHO_PATHS)) {
    app.post(url, { config: { operation: echo } }, async (request) =>
      parsePart(z.strictObject({ name: z.string() }), request.body, 'body'),
    );
  }
}
