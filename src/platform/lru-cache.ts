export interface LruLimits<Value> {
  readonly maxEntries: number;
  /**
   * The maximum total size of the values, as `sizeOf` returns them. The most recently used entry is kept even if it is
   * larger, because it is in use.
   */
  readonly maxBytes?: number;
  /** Returns the size of a value. Called again on every use, because a value may have grown since it was stored. */
  readonly sizeOf?: (value: Value) => number;
}

/** A map with limits. If a new entry exceeds them, the least recently used entries are evicted. */
export class LruCache<Key, Value> {
  readonly #limits: LruLimits<Value>;
  // A Map iterates in insertion order. Each use inserts the entry again, so the first entry is the least recently used.
  readonly #entries = new Map<Key, Value>();

  constructor(limits: LruLimits<Value>) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key and marks it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.set(key, value);
    return value;
  }

  /** Stores a value and returns the values that were evicted. */
  set(key: Key, value: Value): Value[] {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return this.#evict();
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Removes and returns every value. */
  clear(): Value[] {
    const values = [...this.#entries.values()];
    this.#entries.clear();
    return values;
  }

  #evict(): Value[] {
    const { maxEntries, maxBytes = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = this.#limits;
    const evicted: Value[] = [];
    let bytes = 0;
    if (maxBytes < Number.POSITIVE_INFINITY) for (const value of this.#entries.values()) bytes += sizeOf(value);
    for (const [key, value] of this.#entries) {
      const isWithinLimits = bytes <= maxBytes && this.#entries.size <= maxEntries;
      if (isWithinLimits || this.#entries.size === 1) break;
      bytes -= sizeOf(value);
      this.#entries.delete(key);
      evicted.push(value);
    }
    return evicted;
  }
}
