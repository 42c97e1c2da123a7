import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';
import { OAUTH_MOUNT, OAUTH_ROUTES, readUserInfo } from '../../identity/index.ts';
import { bearerOf } from '../edge/authenticate.ts';
import type { ApiParts } from '../parts.ts';

/**
 * Who the holder of an access token acts for. The provider's own endpoint refuses every token that is for an API, and
 * all of ours are; this one reads them as the API does.
 */
export function registerUserinfo(app: FastifyInstance, { identity, accessTokens }: ApiParts): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${OAUTH_MOUNT}${OAUTH_ROUTES.userinfo}`,
    handler: async (request, reply) => {
      const token = bearerOf(request);
      const claims = token ? await readUserInfo(identity, accessTokens, token) : null;
      if (!claims) throw new Fault('UNAUTHENTICATED', 'Send an access token: Authorization: Bearer …');
      return reply.header('cache-control', 'no-store').send(claims);
    },
  });
}
