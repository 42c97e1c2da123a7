import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { MCP_PATH } from '../../identity/index.ts';
import type { Admission } from '../edge/admit.ts';
import { countRequest, limitUnknown } from '../edge/admit.ts';
import { authenticate } from '../edge/authenticate.ts';
import { errorBody, startErrorResponse } from '../edge/error-response.ts';
import { RESOURCE_METADATA_PATH } from '../edge/paths.ts';
import { ownOrigins } from '../edge/same-origin.ts';
import { credentialRefused } from '../faults.ts';
import type { ApiParts } from '../parts.ts';
import { agentCredentialRequired, agentOriginDenied } from './faults.ts';

/** The scopes that an application needs: one to sign in, one to stay connected. */
const CONNECTION_SCOPES = 'openid offline_access';

/**
 * Checks the origin of a request, authenticates it by its Bearer credential and counts it against the rate limit, before
 * its body is read. Cookies are not read: browsers would add them to requests of other sites.
 */
export async function admitAgent(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<Admission> {
  const credential = request.headers.authorization;
  const isForeign = isForeignOrigin(parts, request);
  if (isForeign || credential === undefined) {
    await countRequest(parts, ANONYMOUS, request, reply);
    throw isForeign ? agentOriginDenied() : agentCredentialRequired();
  }
  const { principal, isRefused } = await limitUnknown(parts, { request, reply, credential }, () =>
    authenticate(parts, request, 'mcp'),
  );
  const rateLimit = await countRequest(parts, principal, request, reply);
  if (isRefused || principal.kind !== 'account') throw credentialRefused();
  return { principal, rateLimit };
}

/** Browsers send the origin of the page. A page of another site could otherwise use a service on a private network. */
function isForeignOrigin({ config, siteUrl }: ApiParts, { headers }: FastifyRequest): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  return ![...ownOrigins(siteUrl(), config), ...config.corsOrigins].includes(origin);
}

/** Sends an error that came before any message was read, in the format of the API. */
export function sendAgentError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = startErrorResponse(error, request, reply);
  if (fault.status === 401) reply.header('www-authenticate', challengeFor(request));
  return reply.type('application/json; charset=utf-8').send(errorBody(request.url, fault, request.id));
}

/** Returns the challenge from which an agent learns where to get a token (RFC 9728). */
function challengeFor({ server, headers }: FastifyRequest): string {
  const error = headers.authorization === undefined ? '' : 'error="invalid_token", ';
  const metadata = `${server.siteUrl()}${RESOURCE_METADATA_PATH}${MCP_PATH}`;
  return `Bearer ${error}resource_metadata="${metadata}", scope="${CONNECTION_SCOPES}"`;
}
