/** Tokens that this process took from a key's shared window and may spend without asking. */
export interface Lease {
  tokens: number;
  /** Tokens handed out in the window to all processes, when these were taken. */
  readonly used: number;
  /** By this process's monotonic clock. */
  readonly endsAt: number;
}

/** Few enough to keep for ever, whoever they belong to. */
const SWEEP_AT = 10_000;

/** The leases of one process. Expired ones are swept: an attacker's addresses must not fill the memory. */
export class Leases {
  readonly #byKey = new Map<string, Lease>();
  #sweepAt = SWEEP_AT;

  get size(): number {
    return this.#byKey.size;
  }

  /** The lease of a key, unless its window has ended. */
  live(key: string, now: number): Lease | undefined {
    const lease = this.#byKey.get(key);
    return lease && lease.endsAt > now ? lease : undefined;
  }

  put(key: string, lease: Lease, now: number): void {
    if (this.#byKey.size >= this.#sweepAt) this.#sweep(now);
    this.#byKey.set(key, lease);
  }

  #sweep(now: number): void {
    for (const [key, lease] of this.#byKey) if (lease.endsAt <= now) this.#byKey.delete(key);
    // While most of them are live a sweep frees little: the next one waits until it can pay for itself.
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#byKey.size);
  }
}
