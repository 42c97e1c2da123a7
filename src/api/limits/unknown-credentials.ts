import { createHash } from 'node:crypto';
import { type Config, LruCache } from '../../platform/index.ts';
import { networkOf } from './network.ts';
import type { Limit } from './request-limits.ts';

/** A network may send this many times as many unknown credentials as requests without a credential. */
const UNKNOWN_PER_ANONYMOUS = 2;

/**
 * Returns the limit of a network on credentials that are not known. Beyond it, a credential is refused without a lookup,
 * unless this process has accepted it recently.
 */
export function unknownCredentialLimit(address: string, { requestsPerMinute }: Config): Limit {
  return {
    key: `unknown-credentials:${networkOf(address)}`,
    requests: UNKNOWN_PER_ANONYMOUS * requestsPerMinute.anonymous,
  };
}

const LIFETIME_MS = 60 * 60_000;
const MAX_CREDENTIALS = 20_000;

/**
 * The credentials that this process has accepted in the last hour, as hashes. They stay usable while their network
 * floods the service with unknown ones. They are still looked up, so one that was revoked is refused.
 */
export class KnownCredentials {
  readonly #acceptedAt = new LruCache<string, number>({ maxEntries: MAX_CREDENTIALS });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(credential: string): void {
    this.#acceptedAt.set(hash(credential), this.#now());
  }

  has(credential: string): boolean {
    const at = this.#acceptedAt.get(hash(credential));
    return at !== undefined && this.#now() - at < LIFETIME_MS;
  }
}

function hash(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}
