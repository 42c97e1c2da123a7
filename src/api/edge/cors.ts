import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Lets pages of other origins call the API with a Bearer credential. Cookies stay at home. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    // Every method of the contract; left out, only the "simple" ones would be allowed.
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'ratelimit',
      'ratelimit-policy',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'www-authenticate',
      'etag',
    ],
    maxAge: 600,
    // An OPTIONS that is no preflight would get a body outside our envelopes.
    strictPreflight: false,
  });
}
