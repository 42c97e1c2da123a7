import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { OAUTH_MOUNT, OAUTH_ROUTES } from '../../identity/index.ts';
import { originOf } from '../limits/origin-of.ts';
import type { ApiParts } from '../parts.ts';
import { countClient } from './client-limits.ts';

/** One endpoint of the provider: where it is reached, and what the provider itself calls it. */
interface Endpoint {
  readonly url: string;
  readonly methods: readonly HTTPMethods[];
  readonly inner: (request: FastifyRequest) => string;
}

const DOCUMENT = ['GET', 'HEAD', 'OPTIONS'] as const;
const DISCOVERY = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** Where browsers go, and what anybody may read. */
export const BROWSER_ENDPOINTS: readonly Endpoint[] = [
  at(OAUTH_ROUTES.authorization, ['GET']),
  {
    url: `${OAUTH_MOUNT}${OAUTH_ROUTES.authorization}/:uid`,
    methods: ['GET'],
    inner: ({ params }) => `${OAUTH_ROUTES.authorization}/${encodeURIComponent((params as { uid: string }).uid)}`,
  },
  at(OAUTH_ROUTES.jwks, DOCUMENT),
  ...DISCOVERY.flatMap((path) => [
    at(path, DOCUMENT),
    // RFC 8414, 3.1: of an issuer with a path, the document is between host and path.
    { ...at(path, DOCUMENT), url: `${path}${OAUTH_MOUNT}` },
  ]),
];

/** What applications ask for by themselves. */
export const CLIENT_ENDPOINTS: readonly Endpoint[] = [
  at(OAUTH_ROUTES.token, ['POST', 'OPTIONS']),
  at(OAUTH_ROUTES.revocation, ['POST', 'OPTIONS']),
];

function at(path: string, methods: readonly HTTPMethods[]): Endpoint {
  return { url: `${OAUTH_MOUNT}${path}`, methods, inner: () => path };
}

/**
 * Puts the endpoints of the provider on their paths, each by name: what is beside them under the same mount is for the
 * pages. To be called in a context that leaves bodies unread.
 */
export function registerProvider(app: FastifyInstance, parts: ApiParts, endpoints: readonly Endpoint[]): void {
  for (const { url, methods, inner } of endpoints) {
    app.route({
      method: [...methods],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => handOver(parts, inner(request), request, reply),
    });
  }
}

/** Lets the provider answer, with the headers that every answer of ours has. */
async function handOver(parts: ApiParts, path: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // While we can still answer ourselves when it cannot.
  await parts.oauth.ready();
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  const origin = originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null });
  const waitFor = (clientId: string) => countClient(parts, clientId, request, reply);
  try {
    await parts.oauth.handle(request.raw, reply.raw, { path, origin, waitFor });
  } catch (err) {
    request.log.error({ err }, 'fault in the OAuth provider');
    reply.raw.destroy();
  }
}
