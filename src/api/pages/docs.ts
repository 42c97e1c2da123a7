import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
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

  app.get(`${BASE_PATH}/openapi.json`, {
    onRequest: (request, reply) => countRequest(parts, ANONYMOUS, request, reply),
    handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document()),
  });
  // The page's plugin wants a document when it is registered; what it serves is the one above.
  await app.register(swagger, { mode: 'static', specification: { document: JSON.parse('{"openapi":"3.1.0"}') } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    transformSpecification: () => JSON.parse(document()),
    transformSpecificationClone: false,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
    theme: { title: 'Almanac API' },
  });
}
