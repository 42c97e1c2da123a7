/** A generator of numbers in [0, 1) that yields the same sequence for the same seed on every machine. */
export interface Random {
  uniform(): number;
}

/**
 * Creates a xoshiro128** generator, seeded by splitmix32. It uses integer arithmetic only, so that its numbers do not
 * depend on the machine.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const splitmix = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z = z ^ (z >>> 15);
    z = Math.imul(z, 0x735a2d97);
    return (z ^ (z >>> 15)) | 0;
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = splitmix();
  const next = (): number => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9);
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };
  return {
    // 53 bits: the high 27 of one draw and the high 26 of the next.
    uniform: () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992,
  };
}
