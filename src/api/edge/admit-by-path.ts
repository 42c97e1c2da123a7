import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import type { Operation } from '../../contract/index.ts';
import { authenticateFeed, feedNotFound } from '../../feeds/index.ts';
import type { ApiParts } from '../parts.ts';
import { type Admission, countRequest, limitUnknown, rateLimitHeaders } from './admit.ts';
import { isRefusedAccount } from './authenticate.ts';

/**
 * Admits a request whose credential is a part of its path, whatever other credentials it has. A known token counts for
 * the owner of the feed, any other one for the network of the caller, which cannot guess for longer than with keys.
 */
export async function admitByPath(
  parts: ApiParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const { feed: token } = request.params as { readonly feed: string };
  const { principal } = await limitUnknown(parts, { request, reply, credential: token }, async () => {
    const owner = await authenticateFeed(parts, token);
    return { principal: owner && !isRefusedAccount(parts.config, owner.email) ? owner : ANONYMOUS };
  });
  const rateLimit = await countRequest(parts, principal, request, reply, operation.weight);
  if (principal.kind === 'anonymous') throw feedNotFound();
  // They would tell every reader of the feed the plan of its owner and how busy the account is.
  for (const header of Object.keys(rateLimitHeaders(rateLimit))) reply.removeHeader(header);
  return { principal, rateLimit };
}
