import { HALF_YEARLY } from '../parse-period.ts';
import type { StatedFrequency } from '../provider.ts';

/** The dimension whose value is the frequency. */
export const FREQUENCY_FIELD = 'freq';

export const IRREGULAR: StatedFrequency = { unsupported: 'irregular' };

const FREQUENCIES: ReadonlyMap<string, StatedFrequency> = new Map<string, StatedFrequency>([
  ['A', { frequency: '1YE' }],
  ['Q', { frequency: '1QE' }],
  ['M', { frequency: '1ME' }],
  ['W', { frequency: '1W-MON' }],
  ['D', { frequency: '1D' }],
  ['B', { frequency: '1D' }],
  ['S', HALF_YEARLY],
  ['T', { unsupported: 'four-monthly' }],
  ['P', { unsupported: 'multi-yearly' }],
  ['H', { unsupported: 'hourly' }],
]);

/** Returns the frequency that a value of the dimension `freq` names. */
export function frequencyOf(value: string): StatedFrequency {
  return FREQUENCIES.get(value) ?? IRREGULAR;
}
