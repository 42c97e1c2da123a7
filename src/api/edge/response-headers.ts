import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** JSON must not be rendered, framed or sniffed. The pages of this service set their own policy. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });
}

/** Allows pages of other origins to call the API with a Bearer credential. Cookies are not sent with such requests. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    // Every method of the contract. The default allows only the "simple" methods.
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
      'x-estimated-bytes',
      'deprecation',
      'sunset',
      'link',
    ],
    maxAge: 600,
    // Otherwise an OPTIONS request that is not a preflight gets a body in another format.
    strictPreflight: false,
  });
}
