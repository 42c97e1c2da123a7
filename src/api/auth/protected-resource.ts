import type { FastifyInstance } from 'fastify';
import { OAUTH_MOUNT, OAUTH_SCOPES } from '../../identity/index.ts';
import { BASE_PATH } from '../edge/envelope.ts';
import { RESOURCE_METADATA } from '../edge/resource-metadata.ts';
import type { ApiParts } from '../parts.ts';

/** RFC 9728: tells applications that were refused where to get a token, and for what. */
export function registerProtectedResource(app: FastifyInstance, { siteUrl }: ApiParts): void {
  for (const url of [RESOURCE_METADATA, `${RESOURCE_METADATA}${BASE_PATH}`]) {
    app.get(url, async (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send({
        resource: siteUrl(),
        authorization_servers: [`${siteUrl()}${OAUTH_MOUNT}`],
        scopes_supported: OAUTH_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Almanac',
        resource_documentation: `${siteUrl()}/docs`,
      }),
    );
  }
}
