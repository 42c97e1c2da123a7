import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, decideCaller, type Principal } from '../../access/index.ts';
import { ACTION_SCOPES, type Action, type Operation } from '../../contract/index.ts';
import { callerDenied, credentialRefused, rateLimited } from '../faults.ts';
import { WINDOW_SECONDS } from '../limits/lease-store.ts';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import { type Limit, requestLimitsFor } from '../limits/request-limits.ts';
import type { ApiParts } from '../parts.ts';
import { type Authentication, authenticate, type CredentialCheckers } from './authenticate.ts';
import { ownOrigins, refuseForeignOrigin } from './same-origin.ts';

/**
 * Used for operations without a scope. They begin or end a session, and an invalid credential must not prevent that.
 */
const OPEN_OPERATION: Authentication = { principal: ANONYMOUS, isRefused: false, needsOriginCheck: true };

/** A request that was admitted. */
export interface Admission {
  readonly principal: Principal;
  /** The state of the caller's rate limit after this request. */
  readonly rateLimit: RateLimitResult;
}

/** Authenticates a request, counts it against its rate limit and applies the policy, before its body is read. */
export async function admitRequest(
  parts: ApiParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const isOpen = ACTION_SCOPES[operation.action] === null;
  const caller = isOpen ? OPEN_OPERATION : await authenticate(parts, request);
  const rateLimit = await countRequest(parts, caller.principal, request, reply);
  if (caller.isRefused) throw credentialRefused();
  if (caller.needsOriginCheck && operation.method !== 'GET') {
    refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
  }
  const decision = decideCaller(caller.principal, operation.action);
  if (!decision.allowed) throw callerDenied(decision.code, decision.missingScope);
  return { principal: caller.principal, rateLimit };
}

/** Counts a request against the rate limit of its caller and sets the RateLimit headers. */
export function countRequest(
  parts: ApiParts,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RateLimitResult> {
  return enforceLimits(parts.limiter, requestLimitsFor(principal, request.ip, parts.config), reply);
}

/** Counts a request against the given limits and sets the RateLimit headers. */
export async function enforceLimits(
  limiter: RateLimiter,
  limits: readonly [Limit, ...Limit[]],
  reply: FastifyReply,
): Promise<RateLimitResult> {
  const result = await consumeAll(limiter, limits);
  reply.headers(rateLimitHeaders(result));
  if (!result.allowed) throw rateLimited(result.limit, result.resetSeconds);
  return result;
}

export function rateLimitHeaders({ limit, remaining, resetSeconds }: RateLimitResult): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}

/** Returns the result of the limit that refuses the request, or of the first limit if none does. */
async function consumeAll(
  limiter: RateLimiter,
  [first, ...others]: readonly [Limit, ...Limit[]],
): Promise<RateLimitResult> {
  const result = await limiter.consume(first.key, first.requests);
  for (const { key, requests } of result.allowed ? others : []) {
    const other = await limiter.consume(key, requests);
    if (!other.allowed) return other;
  }
  return result;
}

/**
 * Returns the current principal of a request that was admitted earlier, or null if its credential is no longer valid or
 * the policy no longer allows the action. The check does not count as a request.
 */
export async function reauthorize(
  checkers: CredentialCheckers,
  action: Action,
  request: FastifyRequest,
  before: Principal,
): Promise<Principal | null> {
  const { principal } = await authenticate(checkers, request);
  return isSame(principal, before) && decideCaller(principal, action).allowed ? principal : null;
}

/**
 * Compares the credentials. A browser whose session has ended may still be a guest, and a guest is a different caller.
 */
function isSame(one: Principal, other: Principal): boolean {
  return credentialOf(one) === credentialOf(other);
}

function credentialOf(principal: Principal): string | null {
  if (principal.kind === 'account') return principal.credentialId;
  return principal.kind === 'guest' ? principal.guestId : null;
}
