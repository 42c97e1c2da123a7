import type { Database } from '../../platform/index.ts';
import { type Grant, takeTokens } from './lease-store.ts';

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

interface Lease {
  tokens: number;
  used: number;
  /** By this process's monotonic clock. */
  endsAt: number;
}

/** Expired leases are swept when there are this many: an attacker's addresses must not fill the memory. */
const SWEEP_AT = 10_000;

/**
 * A limiter that takes tokens from the shared window in small batches and spends them from memory, so that most
 * requests cost no statement. A process can hold back a tenth of what was left (at most 100 tokens) that another one
 * would need; alone it is exact.
 */
export function createRateLimiter(database: Database, now: () => number = () => performance.now()): RateLimiter {
  const leases = new Map<string, Lease>();
  const pending = new Map<string, Promise<Grant>>();

  async function renew(key: string, limit: number): Promise<void> {
    let request = pending.get(key);
    if (!request) {
      request = takeTokens(database, key, limit).finally(() => pending.delete(key));
      pending.set(key, request);
      const grant = await request;
      if (leases.size >= SWEEP_AT) sweep();
      leases.set(key, { tokens: grant.granted, used: grant.used, endsAt: now() + grant.secondsLeft * 1000 });
    } else {
      await request;
    }
  }

  function sweep(): void {
    for (const [key, lease] of leases) if (lease.endsAt <= now()) leases.delete(key);
  }

  return {
    async consume(key, limit) {
      for (;;) {
        const lease = leases.get(key);
        const live = lease !== undefined && lease.endsAt > now();
        if (live && lease.tokens > 0) {
          lease.tokens--;
          return verdict(true, lease, limit, now());
        }
        // Used up by everyone together: nothing comes back before the window ends, so there is nothing to ask.
        if (live && lease.used >= limit) return verdict(false, lease, limit, now());
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
