import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, type Denial, decideCaller, type Principal } from '../../access/index.ts';
import { ACTION_SCOPES, Fault, type Operation } from '../../contract/index.ts';
import { WINDOW_SECONDS } from '../limits/lease-store.ts';
import type { Limit } from '../limits/limit-of.ts';
import { limitsOf } from '../limits/limit-of.ts';
import type { RateLimiter, Verdict } from '../limits/rate-limiter.ts';
import type { ApiParts } from '../parts.ts';
import { authenticate } from './authenticate.ts';
import { ownOrigins, refuseForeignOrigin } from './same-origin.ts';

/**
 * Decides whether a request may go on, before its body is read: who is it, has it asked too often, may it do this?
 */
export async function admit(
  parts: ApiParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  // Before a sign-in there is nobody to authenticate, and a stale credential must not stand in its way.
  const open = ACTION_SCOPES[operation.action] === null;
  const caller = open
    ? { principal: ANONYMOUS, refused: false, foreignPagesCanSend: true }
    : await authenticate(parts, request);
  await countRequest(parts, caller.principal, request, reply);
  if (caller.refused) throw new Fault('UNAUTHENTICATED', 'The credential is malformed, unknown, expired or revoked.');
  if (caller.foreignPagesCanSend && operation.method !== 'GET') {
    refuseForeignOrigin(request.headers, ownOrigins(parts.siteUrl(), parts.config));
  }
  const decision = decideCaller(caller.principal, operation.action);
  if (!decision.allowed) {
    const { code, missingScope } = decision;
    throw new Fault(code, DENIALS[code](missingScope), missingScope ? { missingScope } : {});
  }
  return caller.principal;
}

/** Counts a request against its limit and says in the headers where the caller stands. */
export async function countRequest(
  parts: ApiParts,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await countAgainst(parts.limiter, limitsOf(principal, request.ip, parts.config), reply);
}

/** The same for limits that are not those of the API. */
export async function countAgainst(
  limiter: RateLimiter,
  limits: readonly [Limit, ...Limit[]],
  reply: FastifyReply,
): Promise<void> {
  const verdict = await consume(limiter, limits);
  reply.headers(rateHeaders(verdict));
  if (!verdict.allowed) {
    throw new Fault('RATE_LIMITED', `Over ${verdict.limit} requests a minute. Wait ${verdict.resetSeconds} s.`, {
      retryAfter: verdict.resetSeconds,
    });
  }
}

export function rateHeaders({ limit, remaining, resetSeconds }: Verdict): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}

/** The first limit's verdict, or that of the one that refuses. */
async function consume(limiter: RateLimiter, [first, ...others]: readonly [Limit, ...Limit[]]): Promise<Verdict> {
  const verdict = await limiter.consume(first.key, first.requests);
  for (const { key, requests } of verdict.allowed ? others : []) {
    const other = await limiter.consume(key, requests);
    if (!other.allowed) return other;
  }
  return verdict;
}

const DENIALS: Record<Denial, (missingScope?: string) => string> = {
  UNAUTHENTICATED: () => 'Send an API key: Authorization: Bearer alm_pat_…',
  ACCOUNT_REQUIRED: () => 'This needs a registered account; a guest session is not enough.',
  SESSION_REQUIRED: () => 'Sign in at a browser: an API key or an access token is not enough for this.',
  PLAN_REQUIRED: () => 'API access needs the pro or enterprise plan.',
  SCOPE_DENIED: (scope) => `The credential lacks the scope ${scope}.`,
  EMAIL_NOT_VERIFIED: () => 'Verify your e-mail address first: POST /v1/me/verification sends you a link.',
  WORKSPACE_DENIED: () => 'The workspace does not exist, or your place in it does not allow this.',
};
