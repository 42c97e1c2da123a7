import { type BarFrequency, isCompleted, periodEnd, periodStart } from '../../calendar/index.ts';
import { aggregateDays } from '../aggregate-bars.ts';
import type { BarQuery, BarTable, DroppedRows } from '../bars.ts';
import type { MarketContext } from '../context.ts';
import { deniedLicense } from '../denied-license.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { type RoutedBars, routeBars } from '../providers/route.ts';
import { sliceBars } from '../slice-bars.ts';
import type { HistorySettings } from './settings.ts';

export interface BarsRead {
  readonly bars: BarTable;
  readonly provider: string;
  /** As the provider spells it. */
  readonly symbol: string;
  readonly fallbackUsed: boolean;
  readonly dropped: DroppedRows;
  /** Whether there are older bars than these within what was asked for. */
  readonly older: boolean;
}

export interface Window {
  /** Bars that begin before this instant. */
  readonly end: number;
  /** Bars that were complete at this instant. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

type Wanted = Omit<HistorySettings, 'end'>;

/** The latest completed bars before an instant, from whoever can serve them, and under a licence that is not denied. */
export async function readBars(market: MarketContext, wanted: Wanted, window: Window): Promise<BarsRead> {
  const days = DAYS_OF[wanted.frequency];
  const routed = await routeBars({
    source: wanted.source,
    query: days === undefined ? plainQuery(wanted, window) : daysQuery(wanted, window, days),
    providers: market.providers,
    collect: (provider, query) => market.collect(provider, query, { at: window.at, signal: window.signal }),
    deniedLicense: market.licenses.isOpen
      ? undefined
      : (provider, { symbol }) => deniedLicense(market, provider, symbol, window.signal),
  });
  const { provider, fallbackUsed } = routed;
  const { bars, dropped } = days === undefined ? routed : periodsOf(market, wanted, window, routed);
  const surplus = bars.timestamps.length - wanted.limit;
  return {
    bars: surplus > 0 ? sliceBars(bars, surplus) : bars,
    provider,
    symbol: canonicalSymbol(market, provider, wanted.symbol),
    fallbackUsed,
    dropped,
    older: surplus > 0,
  };
}

/** A symbol as a provider spells it. */
export function canonicalSymbol({ providers }: MarketContext, provider: string, symbol: string): string {
  return providers.find(({ id }) => id === provider)?.canonicalSymbol?.(symbol) ?? symbol;
}

/** Weeks and months are built here, from days: at most so many in one. */
const DAYS_OF: Partial<Record<BarFrequency, number>> = { '1W-MON': 7, '1MS': 31 };
const DAY = 86_400_000;
/** Days after the last period that show whether it is whole: longer than the exchange was ever closed. */
const DAYS_BEYOND = 10;

/** One bar more than is wanted tells whether there are older ones. */
function plainQuery(wanted: Wanted, { end }: Window): BarQuery {
  const { symbol, frequency, adjustment, session, priceSide, start, limit } = wanted;
  return { symbol, frequency, adjustment, session, priceSide, start: start ?? undefined, end, limit: limit + 1 };
}

function daysQuery(wanted: Wanted, window: Window, daysInOne: number): BarQuery {
  const { frequency, start, limit } = wanted;
  return {
    ...plainQuery(wanted, window),
    frequency: '1D',
    // A period that began before `start` is not wanted, nor are its days.
    start: start === null ? undefined : firstStart(frequency, start),
    end: periodEnd(frequency, window.end - 1) + DAYS_BEYOND * DAY,
    limit: (limit + 2) * daysInOne,
  };
}

function firstStart(frequency: BarFrequency, start: number): number {
  const begun = periodStart(frequency, start);
  return begun === start ? start : periodEnd(frequency, start);
}

function periodsOf(market: MarketContext, wanted: Wanted, { end, at }: Window, routed: RoutedBars) {
  const { frequency, session } = wanted;
  const { kind } = market.providers.find(({ id }) => id === routed.provider) as MarketProvider;
  const { bars, firstCut, lastCut } = aggregateDays(routed.bars, frequency, kind);
  const cadence = { frequency, kind, hours: session };
  let count = bars.timestamps.length;
  const last = (): number => bars.timestamps[count - 1] as number;
  while (count > 0 && last() >= end) count--;
  const asked = count;
  while (count > 0 && !isCompleted(cadence, last(), at)) count--;
  // A period that is cut because no more days were asked for, or that was not asked for itself, is nobody's loss.
  const isFirstLost = firstCut !== null && firstCut < end && routed.reachedStart;
  const isLastLost = lastCut !== null && lastCut < end && lastCut !== firstCut;
  const incomplete = asked - count + Number(isFirstLost) + Number(isLastLost);
  const dropped: DroppedRows =
    incomplete === 0
      ? routed.dropped
      : { ...routed.dropped, not_completed: (routed.dropped.not_completed ?? 0) + incomplete };
  return { bars: sliceBars(bars, 0, count), dropped };
}
