import { type Database, findStorageProblem, skipIfDiskFull } from '../../platform/index.ts';
import { chargeTokens, takeTokens, WINDOW_SECONDS } from './lease-store.ts';

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts tokens by key in windows of one minute, shared by all processes on one database. */
export interface RateLimiter {
  /**
   * Takes the tokens of a request, or none if fewer are left.
   *
   * @param weight number of tokens, 1 by default. A weight above the limit takes all tokens of a window
   */
  consume(key: string, limit: number, weight?: number): Promise<RateLimitResult>;
  /** Takes tokens for work that was already done. If fewer are left, it takes those. */
  charge(key: string, limit: number, tokens: number): Promise<RateLimitResult>;
  /** Returns the state of a window without tokens, or null if it may have some. Sends no statement. */
  exhausted(key: string, limit: number): RateLimitResult | null;
}

/**
 * Creates a limiter that takes tokens from the shared window in small batches and keeps them in memory, so that most
 * requests need no SQL statement. With several processes, one process can refuse a request while another still holds
 * tokens: up to a tenth of those that remained (at most 100). With one process the count is exact.
 */
export function createRateLimiter(database: Database, now: () => number = () => performance.now()): RateLimiter {
  const leases = new Leases();
  const renewals = new Map<string, Promise<void>>();

  /** Runs one renewal of a key at a time. Concurrent requests wait for it instead of taking more tokens. */
  function renew(key: string, limit: number, needed: number): Promise<void> {
    const running = renewals.get(key);
    if (running) return running;
    const renewal = takeLease(key, limit, needed).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  async function takeLease(key: string, limit: number, needed: number): Promise<void> {
    const { granted, ...taken } = await takeTokens(database, key, limit, needed).catch((error) => {
      if (findStorageProblem(error) === null) throw error;
      // Nothing can be stored, but reading must work. This process counts a whole window alone.
      return { granted: limit, used: limit, window: 0, secondsLeft: WINDOW_SECONDS };
    });
    keepLease(key, { ...taken, tokens: granted });
  }

  /** Keeps tokens of a window, together with those of the same window that are not spent yet. */
  function keepLease(key: string, { secondsLeft, ...taken }: TakenLease): void {
    const before = leases.get(key, now());
    const unspent = before?.window === taken.window ? before.tokens : 0;
    leases.put(key, { ...taken, tokens: taken.tokens + unspent, endsAt: now() + secondsLeft * 1000 }, now());
  }

  return {
    async consume(key, limit, weight = 1) {
      const needed = Math.min(weight, limit);
      for (;;) {
        const lease = leases.get(key, now());
        if (lease && lease.tokens >= needed) {
          lease.tokens -= needed;
          return toResult(true, lease, limit, now());
        }
        // The processes have taken all tokens of the window. There are no more until it ends, so no statement is needed.
        if (lease && lease.used >= limit) return toResult(false, lease, limit, now());
        await renew(key, limit, needed - (lease?.tokens ?? 0));
      }
    },
    async charge(key, limit, tokens) {
      const held = leases.get(key, now());
      const paid = Math.min(tokens, held?.tokens ?? 0);
      if (held) held.tokens -= paid;
      if (paid < tokens) {
        const charged = chargeTokens(database, key, tokens - paid);
        await skipIfDiskFull(charged.then((taken) => keepLease(key, { ...taken, tokens: 0 })));
      }
      const lease = leases.get(key, now()) ?? held;
      if (lease === undefined) return { allowed: true, limit, remaining: limit, resetSeconds: 1 };
      return toResult(true, lease, limit, now());
    },
    exhausted(key, limit) {
      const lease = leases.get(key, now());
      return lease && lease.tokens === 0 && lease.used >= limit ? toResult(false, lease, limit, now()) : null;
    },
  };
}

type TakenLease = Omit<Lease, 'endsAt'> & { readonly secondsLeft: number };

function toResult(allowed: boolean, lease: Lease, limit: number, now: number): RateLimitResult {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - lease.used + lease.tokens),
    resetSeconds: Math.max(1, Math.ceil((lease.endsAt - now) / 1000)),
  };
}

/** Tokens that this process took from the shared window of a key and can spend from memory. */
interface Lease {
  tokens: number;
  /** Number of tokens that all processes had taken in the window, including those of this lease. */
  readonly used: number;
  /** Identifies the window. */
  readonly window: number;
  /** When the window ends, in milliseconds of this process's monotonic clock. */
  readonly endsAt: number;
}

/** Expired leases are removed once there are this many leases. */
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
    // If few leases have expired, a sweep frees little, so the next one starts at twice the size.
    this.#sweepAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#byKey.size);
  }
}
