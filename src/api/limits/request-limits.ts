import { createHash } from 'node:crypto';
import type { Principal } from '../../access/index.ts';
import type { Config } from '../../platform/index.ts';
import { type Attempt, tooManyAttempts } from '../faults.ts';
import { networkOf } from './network.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface Limit {
  readonly key: string;
  /** Requests per minute. */
  readonly requests: number;
}

/**
 * A network can send the requests of this many guests at their full rate, because an office or a school can share one
 * network.
 */
const GUESTS_PER_NETWORK = 10;

/**
 * Returns the limits that a request counts against: for an account, its own limit; for a guest, its own limit and that
 * of its network; for an anonymous caller, the limit of its network. The RateLimit headers report the first limit,
 * unless another one refuses the request.
 */
export function requestLimitsFor(principal: Principal, address: string, config: Config): readonly [Limit, ...Limit[]] {
  const { requestsPerMinute } = config;
  const network = networkOf(address);
  switch (principal.kind) {
    case 'account':
      return [{ key: `account:${principal.accountId}`, requests: requestsPerMinute[principal.plan] }];
    case 'guest':
      return [
        { key: `guest:${principal.guestId}`, requests: requestsPerMinute.guest },
        // One caller can create many guests.
        { key: `guests:${network}`, requests: GUESTS_PER_NETWORK * requestsPerMinute.guest },
      ];
    case 'anonymous':
      return [{ key: `address:${network}`, requests: requestsPerMinute.anonymous }];
  }
}

/** Password attempts per minute for one account from one network. */
const PASSWORD_ATTEMPTS = 10;

/** A call of an operation or a visit to a page, whose attempts are limited. */
export interface LimitedCall {
  readonly parts: { readonly limiter: RateLimiter };
  readonly address: string;
}

/**
 * Counts an attempt from a network against a separate limit, in addition to the limit for all requests. Throws a fault
 * when the limit is reached.
 *
 * @param key identifies the counter
 */
export async function limitPerNetwork(call: LimitedCall, key: string, limit: number, attempt: Attempt): Promise<void> {
  const { allowed, resetSeconds } = await call.parts.limiter.consume(`${key}:${networkOf(call.address)}`, limit);
  if (!allowed) throw tooManyAttempts(attempt, resetSeconds);
}

/** Counts a password attempt for an account. Upper and lower case of its address count as the same account. */
export async function limitPasswordAttempts(call: LimitedCall, email: string): Promise<void> {
  const target = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await limitPerNetwork(call, `sign-in:${target}`, PASSWORD_ATTEMPTS, 'password');
}
