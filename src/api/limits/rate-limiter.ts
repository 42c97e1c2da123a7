import type { Database } from '../../platform/index.ts';
import { takeTokens } from './lease-store.ts';
import { type Lease, Leases } from './leases.ts';

export interface Verdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests of a key in windows of a minute, over all processes on one database. */
export interface RateLimiter {
  consume(key: string, limit: number): Promise<Verdict>;
}

/**
 * A limiter that takes tokens from the shared window in small batches and spends them from memory, so that most
 * requests cost no statement. A process can hold back a tenth of what was left (at most 100 tokens) that another one
 * would need; alone it is exact.
 */
export function createRateLimiter(database: Database, now: () => number = () => performance.now()): RateLimiter {
  const leases = new Leases();
  const renewals = new Map<string, Promise<void>>();

  /** One renewal of a key at a time: whoever comes meanwhile waits for it instead of taking tokens of its own. */
  function renew(key: string, limit: number): Promise<void> {
    const running = renewals.get(key);
    if (running) return running;
    const renewal = takeLease(key, limit).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  async function takeLease(key: string, limit: number): Promise<void> {
    const { granted, used, secondsLeft } = await takeTokens(database, key, limit);
    leases.put(key, { tokens: granted, used, endsAt: now() + secondsLeft * 1000 }, now());
  }

  return {
    async consume(key, limit) {
      for (;;) {
        const lease = leases.live(key, now());
        if (lease && lease.tokens > 0) {
          lease.tokens--;
          return verdict(true, lease, limit, now());
        }
        // Used up by everyone together: nothing comes back before the window ends, so there is nothing to ask.
        if (lease && lease.used >= limit) return verdict(false, lease, limit, now());
        await renew(key, limit);
      }
    },
  };
}

function verdict(allowed: boolean, lease: Lease, limit: number, now: number): Verdict {
  return {
    allowed,
    limit,
    remaining: allowed ? Math.max(0, limit - lease.used + lease.tokens) : 0,
    resetSeconds: Math.max(1, Math.ceil((lease.endsAt - now) / 1000)),
  };
}
