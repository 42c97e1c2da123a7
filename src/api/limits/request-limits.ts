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

/** The limit of a network, in guests at their full rate: an office or a school can share one network. */
const GUESTS_PER_NETWORK = 10;

/**
 * Returns the limits that a request counts against: that of its caller, or that of its network for an anonymous caller.
 * The RateLimit headers report the first limit.
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

/** The caller of an operation or the visitor of a page. */
export interface LimitedCall {
  readonly parts: { readonly limiter: RateLimiter };
  readonly address: string;
}

/**
 * Counts an attempt of a network against a limit beside the one of all requests. Throws a fault when it is used up.
 *
 * @param key identifies the counter
 */
export async function limitPerNetwork(call: LimitedCall, key: string, limit: number, attempt: Attempt): Promise<void> {
  const { allowed, resetSeconds } = await call.parts.limiter.consume(`${key}:${networkOf(call.address)}`, limit);
  if (!allowed) throw tooManyAttempts(attempt, resetSeconds);
}

/** Counts a password attempt for one account, in any spelling of its address, wherever a password is checked. */
export async function limitPasswordAttempts(call: LimitedCall, email: string): Promise<void> {
  const target = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await limitPerNetwork(call, `sign-in:${target}`, PASSWORD_ATTEMPTS, 'password');
}
