import {
  type BarFrequency,
  DAY_MS,
  EARLIEST_INSTANT,
  isCompleted,
  LATEST_INSTANT,
  parseTimeframe,
  periodEnd,
  periodStart,
  TIMEFRAMES,
} from '../calendar/index.ts';
import type { Adjustment, MarketSourceName, PriceSide, Session } from '../contract/index.ts';
import { aggregateDays } from './aggregate-bars.ts';
import { BAR_COLUMNS, type BarQuery, type BarTable, type DroppedRows } from './bars.ts';
import type { BarsContext } from './context.ts';
import { unknownTimeframe } from './faults.ts';
import { collectBars } from './providers/collect-bars.ts';
import type { MarketProvider } from './providers/provider.ts';
import { openProviderHttp } from './providers/provider-http.ts';
import { deniedLicense, type RoutedBars, routeBars } from './providers/route.ts';

/** The settings that determine which bars a request selects, without its format and its page. */
export interface BarSettings {
  readonly symbol: string;
  readonly source: MarketSourceName;
  readonly frequency: BarFrequency;
  readonly limit: number;
  readonly adjustment: Adjustment;
  readonly session: Session;
  readonly priceSide: PriceSide;
  readonly start: number | null;
  readonly end: number | null;
}

export interface ReadBarsResult {
  readonly bars: BarTable;
  readonly provider: string;
  /** The symbol in the spelling of the provider. */
  readonly symbol: string;
  readonly fallbackUsed: boolean;
  readonly dropped: DroppedRows;
  /** Whether there are older bars that the request selects. */
  readonly hasOlder: boolean;
}

export interface BarWindow {
  /** Bars that begin before this instant. */
  readonly end: number;
  /** Selects bars that were complete at this instant. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

type Wanted = Omit<BarSettings, 'end'>;

/** Returns the latest completed bars before an instant, from a provider that has them under an allowed license. */
export async function readBars(market: BarsContext, wanted: Wanted, window: BarWindow): Promise<ReadBarsResult> {
  const { at, signal } = window;
  const maxDays = MAX_DAYS_OF[wanted.frequency];
  const routed = await routeBars({
    source: wanted.source,
    query: maxDays === undefined ? plainQuery(wanted, window) : daysQuery(wanted, window, maxDays),
    providers: market.providers,
    collect: (provider, query) =>
      collectBars(provider, query, { http: openProviderHttp(market, provider, { signal }), at, signal }),
    deniedLicense: market.licenses.allowsAll
      ? undefined
      : (provider, { symbol }) => deniedLicense(market, provider, symbol, signal),
  });
  const { provider, fallbackUsed } = routed;
  const { bars, dropped } = maxDays === undefined ? routed : aggregate(market, wanted, window, routed);
  const surplus = bars.timestamps.length - wanted.limit;
  return {
    bars: surplus > 0 ? sliceBars(bars, surplus) : bars,
    provider,
    symbol: canonicalSymbol(market, provider, wanted.symbol),
    fallbackUsed,
    dropped,
    hasOlder: surplus > 0,
  };
}

/** Returns a symbol in the spelling of a provider. */
export function canonicalSymbol(
  { providers }: Pick<BarsContext, 'providers'>,
  provider: string,
  symbol: string,
): string {
  return providers.find(({ id }) => id === provider)?.canonicalSymbol?.(symbol) ?? symbol;
}

/** Longer than the longest period, so that the periods next to an instant are also within the calendar. */
const MARGIN_MS = 62 * DAY_MS;

/** Clamps an instant to the years of the calendar. No bars exist outside them. */
export function clampInstant(instant: number): number {
  return Math.min(LATEST_INSTANT - MARGIN_MS, Math.max(EARLIEST_INSTANT + MARGIN_MS, instant));
}

export function requireFrequency(timeframe: string): BarFrequency {
  const frequency = parseTimeframe(timeframe);
  if (frequency === null) throw unknownTimeframe(timeframe, TIMEFRAMES);
  return frequency;
}

/** The largest number of days in a week and in a month, which are aggregated from days. */
const MAX_DAYS_OF: Partial<Record<BarFrequency, number>> = { '1W-MON': 7, '1MS': 31 };
/**
 * How many days after the last period are read to see whether it is complete: more than the longest closure of the
 * exchange so far.
 */
const DAYS_BEYOND = 10;

/** Returns a query for one more bar than wanted, which shows whether there are older bars. */
function plainQuery(wanted: Wanted, { end }: BarWindow): BarQuery {
  const { symbol, frequency, adjustment, session, priceSide, start, limit } = wanted;
  return { symbol, frequency, adjustment, session, priceSide, start: start ?? undefined, end, limit: limit + 1 };
}

function daysQuery(wanted: Wanted, window: BarWindow, maxDays: number): BarQuery {
  const { frequency, start, limit } = wanted;
  return {
    ...plainQuery(wanted, window),
    frequency: '1D',
    // A period that began before `start` is not wanted, so its days are not needed either.
    start: start === null ? undefined : firstPeriodFrom(frequency, start),
    end: periodEnd(frequency, window.end - 1) + DAYS_BEYOND * DAY_MS,
    limit: (limit + 2) * maxDays,
  };
}

function firstPeriodFrom(frequency: BarFrequency, start: number): number {
  return periodStart(frequency, start) === start ? start : periodEnd(frequency, start);
}

/** Builds weeks or months from the days that were read. */
function aggregate(market: BarsContext, wanted: Wanted, { end, at }: BarWindow, routed: RoutedBars) {
  const { frequency, session } = wanted;
  const { kind } = market.providers.find(({ id }) => id === routed.provider) as MarketProvider;
  const { bars, firstCut, lastCut } = aggregateDays(routed.bars, frequency, kind);
  const cadence = { frequency, kind, hours: session };
  let count = bars.timestamps.length;
  const last = (): number => bars.timestamps[count - 1] as number;
  while (count > 0 && last() >= end) count--;
  const requested = count;
  while (count > 0 && !isCompleted(cadence, last(), at)) count--;
  // A period counts as dropped unless it lies outside the request or was cut off only because the query ended within
  // it.
  const isFirstDropped = firstCut !== null && firstCut < end && routed.reachedStart;
  const isLastDropped = lastCut !== null && lastCut < end && lastCut !== firstCut;
  const incomplete = requested - count + Number(isFirstDropped) + Number(isLastDropped);
  const dropped: DroppedRows =
    incomplete === 0
      ? routed.dropped
      : { ...routed.dropped, not_completed: (routed.dropped.not_completed ?? 0) + incomplete };
  return { bars: sliceBars(bars, 0, count), dropped };
}

/** Copies the rows `from` to `to` (exclusive) of a table. */
function sliceBars({ timestamps, columns }: BarTable, from: number, to?: number): BarTable {
  return {
    timestamps: timestamps.slice(from, to),
    columns: Object.fromEntries(
      BAR_COLUMNS.map((name) => [name, columns[name].slice(from, to)]),
    ) as unknown as BarTable['columns'],
  };
}
