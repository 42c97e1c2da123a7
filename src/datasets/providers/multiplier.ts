const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

/**
 * Returns the number with which units begin; null if they begin with none.
 *
 * @example multiplierOf('Billions of Dollars') // 1,000,000,000
 */
export function multiplierOf(units: string): number | null {
  const [, word] = /^(thousand|million|billion|trillion)s?\b/i.exec(units) ?? [];
  return word === undefined ? null : (MULTIPLIERS.get(word.toLowerCase()) ?? null);
}
