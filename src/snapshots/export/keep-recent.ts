/** Small things count, too. */
const MAX_ENTRIES = 500;

interface Kept<Value> {
  readonly value: Value;
  readonly since: number;
}

/**
 * Keeps what was used last, up to a number of bytes and for a while. An entry's size is asked anew when room is needed,
 * because renderings grow.
 */
export function keepRecent<Value>(limits: { bytes: number; milliseconds: number }, sizeOf: (value: Value) => number) {
  const kept = new Map<string, Kept<Value>>();
  const makeRoom = (): void => {
    let bytes = [...kept.values()].reduce((sum, one) => sum + sizeOf(one.value), 0);
    for (const [oldest, one] of kept) {
      // The one that was used last stays, however large: somebody is reading it.
      if ((bytes <= limits.bytes && kept.size <= MAX_ENTRIES) || kept.size === 1) break;
      bytes -= sizeOf(one.value);
      kept.delete(oldest);
    }
  };
  return {
    get(key: string, now: number): Value | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      if (now - found.since >= limits.milliseconds) return undefined;
      kept.set(key, found);
      // It may have grown since it was kept.
      makeRoom();
      return found.value;
    },
    set(key: string, value: Value, now: number): void {
      kept.delete(key);
      kept.set(key, { value, since: now });
      makeRoom();
    },
    get size(): number {
      return kept.size;
    },
  };
}
