import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { buildOpenApi } from '../../contract/index.ts';
import { countRequest } from '../edge/admit.ts';
import { BASE_PATH } from '../edge/envelope.ts';
import type { ApiParts } from '../parts.ts';

/** Everything the page needs comes from this service, so that it works without a network. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI document, and a page to read and try it. */
export async function registerDocs(app: FastifyInstance, parts: ApiParts): Promise<void> {
  let text: string | undefined;
  // Made at the first request: it names the site's address, which may depend on the port we were given.
  const document = () => (text ??= JSON.stringify(buildOpenApi(parts.siteUrl())));

  const count = (request: FastifyRequest, reply: FastifyReply) => countRequest(parts, ANONYMOUS, request, reply);

  app.get(`${BASE_PATH}/openapi.json`, {
    onRequest: count,
    handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document()),
  });
  // The page's plugin wants a document when it is registered; what it serves is made below.
  const empty = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await app.register(swagger, { mode: 'static', specification: { document: empty } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    // A relative server: the page must work under every name of this machine, not only under that of the site.
    transformSpecification: () => ({ ...JSON.parse(document()), servers: [{ url: BASE_PATH }] }),
    transformSpecificationClone: false,
    uiHooks: { onRequest: count },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
    theme: { title: 'Almanac API' },
  });
}
