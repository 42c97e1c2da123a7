import { BAR_FREQUENCIES, type BarFrequency, FREQUENCY_DESCRIPTORS } from './frequencies.ts';

/** Spellings that are neither the name of a frequency nor its timeframe. */
const SHORT_SPELLINGS: readonly (readonly [string, BarFrequency])[] = [
  ['1m', '1min'],
  ['5m', '5min'],
  ['15m', '15min'],
  ['30m', '30min'],
  ['1w', '1W-MON'],
];

// Case matters (1m is a minute, and 1M means a month elsewhere), so spellings are listed and compared exactly.
const FREQUENCY_BY_SPELLING: ReadonlyMap<string, BarFrequency> = new Map([
  ...BAR_FREQUENCIES.map((frequency) => [frequency, frequency] as const),
  ...FREQUENCY_DESCRIPTORS.map(({ timeframe, frequency }) => [timeframe, frequency] as const),
  ...SHORT_SPELLINGS,
]);

/** Every spelling of a timeframe that a request may use. */
export const TIMEFRAMES: readonly string[] = [...FREQUENCY_BY_SPELLING.keys()];

/**
 * Returns the frequency of a timeframe, or null for a spelling that is not listed.
 *
 * @example parseTimeframe('1m') // '1min'
 * @example parseTimeframe('1Month') // '1MS'
 * @example parseTimeframe('1M') // null
 */
export function parseTimeframe(spelling: string): BarFrequency | null {
  return FREQUENCY_BY_SPELLING.get(spelling) ?? null;
}
