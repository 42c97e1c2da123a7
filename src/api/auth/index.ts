import type { FastifyInstance } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { countRequest } from '../edge/admit.ts';
import type { ApiParts } from '../parts.ts';
import { answerByOAuth } from './answer-by-oauth.ts';
import { countClientRequest } from './client-limits.ts';
import { registerPostedRequests } from './posted-requests.ts';
import { registerProtectedResource } from './protected-resource.ts';
import { BROWSER_ENDPOINTS, CLIENT_ENDPOINTS, registerProvider } from './provider-routes.ts';
import { registerUserinfo } from './userinfo.ts';

/** The endpoints of the OAuth provider and the documents about it. The pages under the same mount are not here. */
export async function registerAuth(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    leaveBodies(context);
    context.addHook('onRequest', (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
    registerProvider(context, parts, BROWSER_ENDPOINTS);
    registerUserinfo(context, parts);
    registerProtectedResource(context, parts);
  });
  await app.register(async (context) => {
    leaveBodies(context);
    context.setErrorHandler(answerByOAuth);
    context.addHook('onRequest', (request, reply) => countClientRequest(parts, request, reply));
    registerProvider(context, parts, CLIENT_ENDPOINTS);
  });
  await registerPostedRequests(app, parts);
}

/** The provider reads bodies by itself. */
function leaveBodies(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  context.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
