const SCALES: readonly (readonly [word: string, multiplier: number])[] = [
  ['Thousands', 1e3],
  ['Millions', 1e6],
  ['Billions', 1e9],
  ['Trillions', 1e12],
];

/** At the beginning or after a comma or parenthesis, but not in "persons per million". */
const SCALE_WORD = /(?:^|[,(]\s*)(thousand|million|billion|trillion)s?\b/i;

/**
 * Returns the number that units contain; null if they contain none.
 *
 * @example multiplierOf('Current prices, million euro') // 1,000,000
 */
export function multiplierOf(units: string): number | null {
  const word = SCALE_WORD.exec(units)?.[1]?.toLowerCase();
  if (word === undefined) return null;
  return SCALES.find(([scale]) => scale.toLowerCase().startsWith(word))?.[1] ?? null;
}

/**
 * Returns units that contain their multiplier, for providers that state the two separately.
 *
 * @example withMultiplier('EUR', 1e6) // 'Millions of EUR'
 */
export function withMultiplier(units: string, multiplier: number | null): string {
  if (units === '' || multiplier === null || multiplier === 1 || multiplierOf(units) !== null) return units;
  const word = SCALES.find(([, value]) => value === multiplier)?.[0];
  return word === undefined ? `${multiplier} ${units}` : `${word} of ${units}`;
}
