import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { buildOpenApi } from '../../contract/index.ts';
import { countRequest } from '../edge/admit.ts';
import { BASE_PATH } from '../edge/paths.ts';
import type { ApiParts } from '../parts.ts';

/** The page loads everything from this service, so that it works without internet access. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Registers the OpenAPI document and a page to read it and try its operations. */
export async function registerDocs(app: FastifyInstance, parts: ApiParts): Promise<void> {
  let text: string | undefined;
  // Built for the first request, because it contains the public origin, which can depend on the port.
  const document = () => (text ??= JSON.stringify(buildOpenApi(parts.siteUrl())));

  const count = (request: FastifyRequest, reply: FastifyReply) => countRequest(parts, ANONYMOUS, request, reply);

  app.get(`${BASE_PATH}/openapi.json`, {
    onRequest: count,
    handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document()),
  });
  // The plugin needs a document when it is registered; the document that it serves is built below.
  const empty = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  await app.register(swagger, { mode: 'static', specification: { document: empty } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    // The server URL is relative, so that the page works under every host name of this machine.
    transformSpecification: () => ({ ...JSON.parse(document()), servers: [{ url: BASE_PATH }] }),
    transformSpecificationClone: false,
    uiHooks: { onRequest: count },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
    theme: { title: 'Almanac API' },
  });
}
