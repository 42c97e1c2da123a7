import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/index.ts';
import { countAgainst, rateHeaders } from '../edge/admit.ts';
import { networkOf } from '../limits/network-of.ts';
import type { ApiParts } from '../parts.ts';

/** One client at one network asks for all of its users, so that it has as much as several people without a name. */
const PEOPLE_PER_CLIENT = 5;
/** As many busy clients as may share a network (a host of many applications). */
const CLIENTS_PER_NETWORK = 10;

function requestsPerClient({ requestsPerMinute }: Config): number {
  return PEOPLE_PER_CLIENT * requestsPerMinute.anonymous;
}

/** Counts a request of an application before anybody knows which one it is: apart from the pages that people ask for. */
export async function countClientRequest(
  { limiter, config }: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const requests = CLIENTS_PER_NETWORK * requestsPerClient(config);
  await countAgainst(limiter, [{ key: `clients:${networkOf(request.ip)}`, requests }], reply);
}

/** Counts it again once the provider knows the client. @returns the seconds that the client has to wait, if any */
export async function countClient(
  { limiter, config }: ApiParts,
  clientId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<number | null> {
  const key = `client:${clientId}:${networkOf(request.ip)}`;
  const verdict = await limiter.consume(key, requestsPerClient(config));
  for (const [name, value] of Object.entries(rateHeaders(verdict))) reply.raw.setHeader(name, value);
  return verdict.allowed ? null : verdict.resetSeconds;
}
