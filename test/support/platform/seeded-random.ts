/** Returns a number from 0 to 1. */
export type Random = () => number;

/** Returns a generator of a repeatable sequence (mulberry32). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function uniformBetween(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}
