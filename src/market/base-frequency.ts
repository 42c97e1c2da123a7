import { type BarFrequency, fixedStep } from '../calendar/index.ts';
import type { MarketProvider } from './providers/provider.ts';

/**
 * Returns the frequency that a provider is asked for to serve another one; null if it cannot be served. Weeks and months
 * are built from days.
 *
 * Hours of a stock exchange are built from half hours: the session opens at half past, and the hour in which it opens
 * must not contain trades from before the open.
 */
export function baseFrequency(
  { frequencies, serves }: Pick<MarketProvider, 'frequencies' | 'serves'>,
  frequency: BarFrequency,
): BarFrequency | null {
  if (frequency === '1W-MON' || frequency === '1MS') return frequencies.includes('1D') ? '1D' : null;
  const isHours = frequency === '1h' || frequency === '4h';
  if (isHours && serves === 'stocks') return frequencies.includes('30min') ? '30min' : null;
  if (frequencies.includes(frequency)) return frequency;
  if (frequency === '1D') return null;
  const step = stepOf(frequency);
  const divisors = frequencies.filter((native) => native !== '1D' && step % stepOf(native) === 0);
  return divisors.toSorted((a, b) => stepOf(b) - stepOf(a))[0] ?? null;
}

/** Returns how many periods of the base frequency are in one of another frequency. */
export function periodsPerBar(base: BarFrequency, frequency: BarFrequency): number {
  return frequency === '1MS' ? 31 : stepOf(frequency) / stepOf(base);
}

function stepOf(frequency: BarFrequency): number {
  return fixedStep(frequency) ?? Number.NaN;
}
