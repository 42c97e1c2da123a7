import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { OAUTH_MOUNT, OAUTH_ROUTES } from '../../identity/index.ts';
import type { Config } from '../../platform/index.ts';
import { enforceLimits, rateLimitHeaders } from '../edge/admit.ts';
import { errorHead } from '../edge/error-response.ts';
import { operationName } from '../edge/request-telemetry.ts';
import { rateLimited } from '../faults.ts';
import { networkOf, originOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';

/** One endpoint of the OAuth provider: its public URL and its path within the provider. */
interface Endpoint {
  readonly url: string;
  readonly methods: readonly HTTPMethods[];
  readonly providerPath: (request: FastifyRequest) => string;
}

const DOCUMENT_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const;
const DISCOVERY_PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** The endpoints that browsers visit, and the public documents. */
export const BROWSER_ENDPOINTS: readonly Endpoint[] = [
  endpointAt(OAUTH_ROUTES.authorization, ['GET']),
  {
    url: `${OAUTH_MOUNT}${OAUTH_ROUTES.authorization}/:uid`,
    methods: ['GET'],
    providerPath: ({ params }) =>
      `${OAUTH_ROUTES.authorization}/${encodeURIComponent((params as { uid: string }).uid)}`,
  },
  endpointAt(OAUTH_ROUTES.jwks, DOCUMENT_METHODS),
  ...DISCOVERY_PATHS.flatMap((path) => [
    endpointAt(path, DOCUMENT_METHODS),
    // If an issuer has a path, the well-known path is inserted between the host and that path (RFC 8414, 3.1).
    { ...endpointAt(path, DOCUMENT_METHODS), url: `${path}${OAUTH_MOUNT}` },
  ]),
];

/** The endpoints that applications call directly. */
export const CLIENT_ENDPOINTS: readonly Endpoint[] = [
  endpointAt(OAUTH_ROUTES.token, ['POST', 'OPTIONS']),
  endpointAt(OAUTH_ROUTES.revocation, ['POST', 'OPTIONS']),
];

function endpointAt(path: string, methods: readonly HTTPMethods[]): Endpoint {
  return { url: `${OAUTH_MOUNT}${path}`, methods, providerPath: () => path };
}

/**
 * Registers the provider's endpoints one by one, because the account pages are below the same path. The context must
 * not read bodies.
 */
export function registerProviderEndpoints(app: FastifyInstance, parts: ApiParts, endpoints: readonly Endpoint[]): void {
  for (const { url, methods, providerPath } of endpoints) {
    app.route({
      method: [...methods],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => forwardToProvider(parts, providerPath(request), request, reply),
    });
  }
}

/** Passes a request to the provider. Its response also gets the headers that all responses of the service have. */
async function forwardToProvider(
  parts: ApiParts,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Awaited first: after `hijack` the service can no longer respond with an error.
  await parts.oauth.ready();
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  const origin = originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null });
  const countTokenRequest = (clientId: string) => countIdentifiedClient(parts, clientId, request, reply);
  try {
    await parts.oauth.handle(request.raw, reply.raw, { path, origin, countTokenRequest });
  } catch (err) {
    request.log.error({ err }, 'OAuth provider failed');
    reply.raw.destroy();
  }
}

/** On one network, a client can send the requests of this many anonymous callers, because it serves many accounts. */
const CALLERS_PER_CLIENT = 5;
/** A network can send the requests of this many clients at their full rate, because one host can run many clients. */
const CLIENTS_PER_NETWORK = 10;

function requestsPerClient({ requestsPerMinute }: Config): number {
  return CALLERS_PER_CLIENT * requestsPerMinute.anonymous;
}

/** Counts a request whose client is not yet identified against the network's limit for clients. */
export async function countUnidentifiedClient(
  { limiter, config }: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const requests = CLIENTS_PER_NETWORK * requestsPerClient(config);
  await enforceLimits(limiter, [{ key: `clients:${networkOf(request.ip)}`, requests }], reply);
}

/**
 * Counts a request after the provider has identified its client, and sets the RateLimit headers. If the limit is
 * reached, it also sets the headers of the error response; the provider sends the body as an OAuth error.
 *
 * @returns the seconds that the client has to wait, or null if the request is allowed
 */
async function countIdentifiedClient(
  { limiter, config }: ApiParts,
  clientId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<number | null> {
  const key = `client:${clientId}:${networkOf(request.ip)}`;
  const result = await limiter.consume(key, requestsPerClient(config));
  const refusal = result.allowed ? null : rateLimited(result);
  const source = { requestId: request.id, operation: operationName(request) };
  const headers = { ...rateLimitHeaders(result), ...(refusal && errorHead(refusal, source).headers) };
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
  return refusal && result.resetSeconds;
}
