import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import {
  MCP_PATH,
  OAUTH_MOUNT,
  OAUTH_ROUTES,
  OAUTH_SCOPES,
  type Resource,
  readUserInfo,
  resourceUrl,
} from '../../identity/index.ts';
import { countRequest } from '../edge/admit.ts';
import { readBearer } from '../edge/authenticate.ts';
import { startErrorResponse } from '../edge/error-response.ts';
import { BASE_PATH, RESOURCE_METADATA_PATH } from '../edge/paths.ts';
import { accessTokenRequired } from '../faults.ts';
import { sendErrorPage } from '../pages/serve-pages.ts';
import type { ApiParts } from '../parts.ts';
import {
  BROWSER_ENDPOINTS,
  CLIENT_ENDPOINTS,
  countUnidentifiedClient,
  registerProviderEndpoints,
} from './provider-endpoints.ts';

/** Registers the endpoints of the OAuth provider and the documents that describe it, but not its pages. */
export async function registerAuth(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    leaveBodiesUnread(context);
    context.addHook('onRequest', (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
    registerProviderEndpoints(context, parts, BROWSER_ENDPOINTS);
    registerUserinfo(context, parts);
    registerProtectedResource(context, parts);
  });
  await app.register(async (context) => {
    leaveBodiesUnread(context);
    context.setErrorHandler(sendOAuthError);
    context.addHook('onRequest', (request, reply) => countUnidentifiedClient(parts, request, reply));
    registerProviderEndpoints(context, parts, CLIENT_ENDPOINTS);
  });
  await registerPostedAuthorization(app, parts);
}

/** Makes a context leave bodies unread, because the provider reads them itself. */
function leaveBodiesUnread(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  context.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Serves the protected-resource metadata (RFC 9728), from which an application learns where to get a token. */
function registerProtectedResource(app: FastifyInstance, { siteUrl }: ApiParts): void {
  const paths: readonly (readonly [path: string, resource: Resource])[] = [
    [RESOURCE_METADATA_PATH, 'api'],
    [`${RESOURCE_METADATA_PATH}${BASE_PATH}`, 'api'],
    [`${RESOURCE_METADATA_PATH}${MCP_PATH}`, 'mcp'],
  ];
  for (const [url, resource] of paths) {
    app.get(url, async (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send({
        resource: resourceUrl(siteUrl(), resource),
        authorization_servers: [`${siteUrl()}${OAUTH_MOUNT}`],
        scopes_supported: OAUTH_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Almanac',
        resource_documentation: `${siteUrl()}/docs`,
      }),
    );
  }
}

/**
 * Serves the claims of the account that an access token belongs to. The provider's own endpoint cannot be used: it
 * refuses tokens that are meant for an API, as all tokens of this service are. This endpoint verifies them as the API
 * does.
 */
function registerUserinfo(app: FastifyInstance, { identity, accessTokens }: ApiParts): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${OAUTH_MOUNT}${OAUTH_ROUTES.userinfo}`,
    handler: async (request, reply) => {
      const token = readBearer(request);
      const claims = token ? await readUserInfo(identity, accessTokens, token) : null;
      if (!claims) throw accessTokenRequired();
      return reply.header('cache-control', 'no-store').send(claims);
    },
  });
}

/** A longer form would not fit into the URL of the redirect. */
const FORM_LIMIT = 8 * 1024;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Accepts authorization requests as forms (OpenID Connect Core, 3.1.2.1) and redirects the browser to a URL with the
 * same request. Browsers send no cookies with a form from another site, so the posted form would arrive without a
 * session.
 */
async function registerPostedAuthorization(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, form, done) =>
      done(null, form),
    );
    context.setErrorHandler(sendErrorPage);
    context.addHook('onRequest', (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
    const url = `${OAUTH_MOUNT}${OAUTH_ROUTES.authorization}`;
    context.post(url, async ({ body }, reply) => {
      const query = new URLSearchParams(typeof body === 'string' ? body : '');
      return reply.header('cache-control', 'no-store').redirect(`${url}?${query}`, 303);
    });
  });
}

/** OAuth error codes by HTTP status. OAuth has none for rate limits; clients retry after `temporarily_unavailable`. */
const OAUTH_ERROR_CODES: Readonly<Record<number, string>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Sends an error in the format of OAuth (RFC 6749, 5.2). Used for errors that occur before the provider is called. */
function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = startErrorResponse(error, request, reply);
  return reply
    .type('application/json; charset=utf-8')
    .send({ error: OAUTH_ERROR_CODES[status] ?? 'invalid_request', error_description: message });
}
