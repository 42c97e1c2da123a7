import { createHash } from 'node:crypto';
import { Fault } from '../../contract/index.ts';
import { networkOf } from './network-of.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Guesses a minute at one account from one network. */
const SIGN_IN_ATTEMPTS = 10;

/** Who asks, and who counts: a call of the API, or a request for a page. */
export interface Limited {
  readonly parts: { readonly limiter: RateLimiter };
  readonly address: string;
}

/** A limit of its own beside the one that every request counts against. Over it: a fault that says how long to wait. */
export async function limitPerNetwork(call: Limited, what: string, limit: number, message: string): Promise<void> {
  const { allowed, resetSeconds } = await call.parts.limiter.consume(`${what}:${networkOf(call.address)}`, limit);
  if (!allowed) throw new Fault('RATE_LIMITED', `${message} Wait ${resetSeconds} s.`, { retryAfter: resetSeconds });
}

/** Wherever a password is asked for: few tries at one account, under whichever spelling of its address. */
export async function limitGuesses(call: Limited, email: string): Promise<void> {
  const target = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await limitPerNetwork(call, `sign-in:${target}`, SIGN_IN_ATTEMPTS, 'Too many sign-in attempts for this account.');
}
