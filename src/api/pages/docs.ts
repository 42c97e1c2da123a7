import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { buildOpenApi } from '../../contract/index.ts';
import { BASE_PATH } from '../edge/envelope.ts';
import type { ApiParts } from '../parts.ts';

/** The OpenAPI document, and a page to read it that loads nothing from elsewhere. */
export async function registerDocs(app: FastifyInstance, parts: ApiParts): Promise<void> {
  let document: string | undefined;
  app.get(`${BASE_PATH}/openapi.json`, async (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(parts.siteUrl()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: 'Almanac', version: '' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { url: `${BASE_PATH}/openapi.json` },
    staticCSP: true,
  });
}
