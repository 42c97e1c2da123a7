import type { Database } from '../../platform/index.ts';
import { takeTokens } from './lease-store.ts';

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests by key in windows of one minute, shared by all processes on one database. */
export interface RateLimiter {
  consume(key: string, limit: number): Promise<RateLimitResult>;
}

/**
 * Creates a limiter that takes tokens from the shared window in small batches and spends them from memory, so that most
 * requests need no SQL statement. A process can hold up to a tenth of the remaining tokens (at most 100) that another
 * process would need. With one process the count is exact.
 */
export function createRateLimiter(database: Database, now: () => number = () => performance.now()): RateLimiter {
  const leases = new Leases();
  const renewals = new Map<string, Promise<void>>();

  /** Runs one renewal of a key at a time. Concurrent requests wait for it instead of taking more tokens. */
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
        const lease = leases.get(key, now());
        if (lease && lease.tokens > 0) {
          lease.tokens--;
          return toResult(true, lease, limit, now());
        }
        // All processes together used up the window. No tokens return before it ends, so no statement is needed.
        if (lease && lease.used >= limit) return toResult(false, lease, limit, now());
        await renew(key, limit);
      }
    },
  };
}

function toResult(allowed: boolean, lease: Lease, limit: number, now: number): RateLimitResult {
  return {
    allowed,
    limit,
    remaining: allowed ? Math.max(0, limit - lease.used + lease.tokens) : 0,
    resetSeconds: Math.max(1, Math.ceil((lease.endsAt - now) / 1000)),
  };
}

/** Tokens that this process took from the shared window of a key and can spend from memory. */
interface Lease {
  tokens: number;
  /** Tokens taken in the window by all processes, when these were taken. */
  readonly used: number;
  /** In milliseconds of this process's monotonic clock. */
  readonly endsAt: number;
}

/** Fewer leases than this are never swept. */
const MIN_SWEEP_SIZE = 10_000;

/** The leases of one process. Expired leases are removed, so that an attacker's addresses cannot fill the memory. */
export class Leases {
  readonly #byKey = new Map<string, Lease>();
  #sweepAt = MIN_SWEEP_SIZE;

  get size(): number {
    return this.#byKey.size;
  }

  /** Returns the lease of a key, unless its window has ended. */
  get(key: string, now: number): Lease | undefined {
    const lease = this.#byKey.get(key);
    return lease && lease.endsAt > now ? lease : undefined;
  }

  put(key: string, lease: Lease, now: number): void {
    if (this.#byKey.size >= this.#sweepAt) this.#sweep(now);
    this.#byKey.set(key, lease);
  }

  #sweep(now: number): void {
    for (const [key, lease] of this.#byKey) if (lease.endsAt <= now) this.#byKey.delete(key);
    // While most leases are live a sweep frees little, so the next one starts at twice the size.
    this.#sweepAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#byKey.size);
  }
}
