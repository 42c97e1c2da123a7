import { BAR_FREQUENCIES, type BarFrequency, fixedStep } from '../../calendar/index.ts';
import type { QuoteSide } from '../../contract/index.ts';
import type { BarQuery } from '../bars.ts';
import { isIntraday } from '../select-bars.ts';
import type { MarketProvider } from './provider.ts';

/** Returns why a provider cannot serve a query, as a sentence for the caller; null if it can. */
export function findUnsupportedReason(provider: MarketProvider, query: BarQuery): string | null {
  const reason = provider.unsupportedReason?.(query) ?? null;
  if (reason !== null) return reason;
  const { adjustments, sides, sessions, serves } = provider;
  const { frequency, adjustment, session, priceSide } = query;
  if (baseFrequency(provider, frequency) === null) {
    return `It has no ${frequency} bars; it offers ${listTimeframes(provider).join(', ')}.`;
  }
  if (!adjustments.includes(adjustment)) {
    return `It has no prices with the adjustment ${adjustment}; it offers ${adjustments.join(' and ')}.`;
  }
  if (priceSide !== undefined && !sides.includes(priceSide)) {
    return 'It has trades, not bids or asks; omit price_side.';
  }
  if (!sessions.includes(session)) return `It has the ${sessions.join(' and ')} session only.`;
  if (serves === 'stocks' && session === 'extended' && !isIntraday(frequency)) {
    return `It has bars of the extended session within a day only; ${frequency} bars cover the regular session.`;
  }
  return null;
}

/** Returns the side of the prices that a provider serves for a request that may name one. */
export function resolveSide({ sides }: Pick<MarketProvider, 'sides'>, requested: QuoteSide | undefined): QuoteSide {
  return requested ?? sides[0];
}

/** Returns the timeframes that a provider can serve. */
export function listTimeframes(provider: Pick<MarketProvider, 'frequencies' | 'serves'>): readonly BarFrequency[] {
  return BAR_FREQUENCIES.filter((frequency) => baseFrequency(provider, frequency) !== null);
}

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
