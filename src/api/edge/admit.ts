import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, decideCaller, type Principal } from '../../access/index.ts';
import { ACTION_SCOPES, type Action, type Operation } from '../../contract/index.ts';
import { isSessionOfLocked } from '../../identity/index.ts';
import { callerDenied, credentialRefused, rateLimited, sessionLocked, tooManyUnknownCredentials } from '../faults.ts';
import { WINDOW_SECONDS } from '../limits/lease-store.ts';
import type { RateLimiter, RateLimitResult } from '../limits/rate-limiter.ts';
import { type Limit, requestLimitsFor } from '../limits/request-limits.ts';
import { unknownCredentialLimit } from '../limits/unknown-credentials.ts';
import type { ApiParts } from '../parts.ts';
import { type Authentication, authenticate, type CredentialCheckers, presentedCredential } from './authenticate.ts';
import { readCookie } from './cookies.ts';
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
  const caller = isOpen ? OPEN_OPERATION : await authenticateLimited(parts, request, reply);
  const rateLimit = await countRequest(parts, caller.principal, request, reply, operation.weight);
  if (caller.isRefused) throw credentialRefused();
  if (caller.needsOriginCheck && operation.method !== 'GET') {
    refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
  }
  const decision = decideCaller(caller.principal, operation.action);
  if (!decision.allowed) {
    if (await hasLockedSession(parts, caller.principal, request)) throw sessionLocked();
    throw callerDenied(decision.code, decision.missingScope);
  }
  return { principal: caller.principal, rateLimit };
}

/** Returns whether a caller without an account has the session of a locked one. */
async function hasLockedSession(
  { identity }: Pick<ApiParts, 'identity'>,
  { kind }: Principal,
  request: FastifyRequest,
): Promise<boolean> {
  const session = kind === 'anonymous' ? readCookie(request, 'session') : undefined;
  return session !== undefined && isSessionOfLocked(identity, session);
}

async function authenticateLimited(
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Authentication> {
  const credential = presentedCredential(request);
  if (credential === null) return authenticate(parts, request);
  return limitUnknown(parts, { request, reply, credential }, () => authenticate(parts, request));
}

/**
 * Looks up a credential. A network that keeps sending unknown ones is refused before the database is asked, except with
 * credentials that were accepted recently.
 */
export async function limitUnknown<Found extends { readonly principal: Principal }>(
  { limiter, knownCredentials, config }: ApiParts,
  {
    request,
    reply,
    credential,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly credential: string },
  lookUp: () => Promise<Found>,
): Promise<Found> {
  const { key, requests } = unknownCredentialLimit(request.ip, config);
  const exhausted = limiter.exhausted(key, requests);
  if (exhausted !== null && !knownCredentials.has(credential)) {
    reply.headers(rateLimitHeaders(exhausted));
    throw tooManyUnknownCredentials(exhausted.resetSeconds);
  }
  const found = await lookUp();
  if (found.principal.kind === 'anonymous') await limiter.consume(key, requests);
  else knownCredentials.add(credential);
  return found;
}

/**
 * Counts a request against the rate limit of its caller and sets the RateLimit headers.
 *
 * @param weight number of requests that it counts as
 */
export function countRequest(
  parts: ApiParts,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
  weight = 1,
): Promise<RateLimitResult> {
  return enforceLimits(parts.limiter, requestLimitsFor(principal, request.ip, parts.config), reply, weight);
}

/** Counts the work of a refused request against the limits of its caller and sets the RateLimit headers again. */
export async function chargeWork(
  parts: ApiParts,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
  tokens: number,
): Promise<void> {
  const [first, ...others] = requestLimitsFor(principal, request.ip, parts.config);
  reply.headers(rateLimitHeaders(await parts.limiter.charge(first.key, first.requests, tokens)));
  for (const { key, requests } of others) await parts.limiter.charge(key, requests, tokens);
}

/** Counts a request against the given limits and sets the RateLimit headers. */
export async function enforceLimits(
  limiter: RateLimiter,
  limits: readonly [Limit, ...Limit[]],
  reply: FastifyReply,
  weight = 1,
): Promise<RateLimitResult> {
  const result = await consumeAll(limiter, limits, weight);
  reply.headers(rateLimitHeaders(result));
  if (!result.allowed) throw rateLimited(result, weight);
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
  weight: number,
): Promise<RateLimitResult> {
  const result = await limiter.consume(first.key, first.requests, weight);
  for (const { key, requests } of result.allowed ? others : []) {
    const other = await limiter.consume(key, requests, weight);
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
