import {
  type BarFrequency,
  DAY_MS,
  EARLIEST_INSTANT,
  isCompleted,
  LATEST_INSTANT,
  MINUTE_MS,
  parseTimeframe,
  periodEnd,
  periodStart,
  type SeriesKind,
  TIMEFRAMES,
} from '../calendar/index.ts';
import type { Adjustment, MarketSourceName, PriceSide, QuoteSide, Session } from '../contract/index.ts';
import { openProviderClient, ProviderError } from '../platform/index.ts';
import { aggregateDays, aggregateIntraday } from './aggregate-bars.ts';
import type { BarQuery, BarTable, DroppedRows } from './bars.ts';
import type { BarsContext } from './context.ts';
import { unknownTimeframe } from './faults.ts';
import { baseFrequency, periodsPerBar, resolveSide } from './providers/capabilities.ts';
import { type CollectedBars, collectBars } from './providers/collect-bars.ts';
import type { MarketProvider, PageQuery } from './providers/provider.ts';
import { routeBars } from './providers/route.ts';
import { isIntraday, selectSession, sliceBars } from './select-bars.ts';
import { readSeries } from './store/read-series.ts';
import { readStoredSeries } from './store/read-stored-series.ts';

/** The settings that determine which bars a request selects, without its format and its page. */
export interface BarSettings {
  readonly symbol: string;
  readonly source: MarketSourceName;
  readonly frequency: BarFrequency;
  readonly limit: number;
  readonly adjustment: Adjustment;
  readonly session: Session;
  /** Null for the default of the provider. */
  readonly priceSide: PriceSide | null;
  readonly start: number | null;
  readonly end: number | null;
}

export interface ReadBarsResult {
  readonly bars: BarTable;
  readonly provider: string;
  /** The symbol in the spelling of the provider. */
  readonly symbol: string;
  readonly side: QuoteSide;
  readonly fallbackUsed: boolean;
  readonly dropped: DroppedRows;
  /** The instant before which older bars that the request selects may begin; null if there are none. */
  readonly olderBefore: number | null;
  /** Whether there are fewer bars than wanted because one read requests only so many pages. */
  readonly isBounded: boolean;
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
  const { served, provider, fallbackUsed } = await routeBars(market, {
    source: wanted.source,
    query: queryOf(wanted, window),
    read: (one, symbol) => readFrom(market, one, { ...wanted, symbol }, window),
  });
  return resultOf(wanted, served, provider, fallbackUsed);
}

/** The last bar of a provider. */
export interface LastBar {
  readonly timestamp: number;
  readonly kind: SeriesKind;
}

/**
 * Returns the latest completed bars before an instant that depends on the last bar of the provider. Both reads are of
 * the same provider, because the last bars of two providers may differ. If either fails, the next provider is asked for
 * both.
 *
 * @param cutoffOf returns the instant
 */
export async function readBarsBefore(
  market: BarsContext,
  wanted: Wanted,
  window: BarWindow,
  cutoffOf: (last: LastBar) => number,
): Promise<ReadBarsResult & { readonly cutoff: number }> {
  const { served, provider, fallbackUsed } = await routeBars(market, {
    source: wanted.source,
    query: queryOf(wanted, window),
    read: async (one, symbol) => {
      const last = await readFrom(market, one, { ...wanted, symbol, limit: 1 }, window);
      const timestamp = last.bars.timestamps.at(-1);
      if (timestamp === undefined) throw new ProviderError(one.id, 'NOT_FOUND');
      const cutoff = cutoffOf({ timestamp, kind: one.kindOf(symbol) });
      const at = Math.min(window.at, clampInstant(cutoff));
      return { ...(await readFrom(market, one, { ...wanted, symbol }, { ...window, end: at, at })), cutoff };
    },
  });
  return { ...resultOf(wanted, served, provider, fallbackUsed), cutoff: served.cutoff };
}

function resultOf(wanted: Wanted, served: ServedBars, provider: MarketProvider, fallbackUsed: boolean): ReadBarsResult {
  const { bars, dropped, completeFrom, symbol } = served;
  const surplus = bars.timestamps.length - wanted.limit;
  const kept = surplus > 0 ? sliceBars(bars, surplus) : bars;
  const isEnd = surplus <= 0 && served.reachedStart;
  return {
    bars: kept,
    provider: provider.id,
    symbol,
    side: resolveSide(provider, wanted.priceSide ?? undefined),
    fallbackUsed,
    dropped,
    isBounded: surplus < 0 && !served.reachedStart,
    olderBefore: isEnd ? null : (kept.timestamps[0] ?? completeFrom),
  };
}

/** Returns a query for one more bar than wanted, which shows whether there are older bars. */
function queryOf({ symbol, frequency, adjustment, session, priceSide, start, limit }: Wanted, { end }: BarWindow) {
  return {
    symbol,
    frequency,
    adjustment,
    session,
    priceSide: priceSide ?? undefined,
    start: start ?? undefined,
    end,
    limit: limit + 1,
  } satisfies BarQuery;
}

interface ServedBars extends CollectedBars {
  /** In the spelling of the provider. */
  readonly symbol: string;
}

/** How much longer the extended hours of a stock exchange are than the regular ones, rounded up. */
const EXTENDED_SHARE = 2.5;

/**
 * Reads one more bar than wanted from a provider, and reads further back while bars outside the hours, or periods
 * without trades, leave too few.
 */
async function readFrom(
  market: BarsContext,
  provider: MarketProvider,
  wanted: Wanted,
  window: BarWindow,
): Promise<ServedBars> {
  const { frequency, adjustment, session, symbol, limit } = wanted;
  const base = baseFrequency(provider, frequency);
  if (base === null) throw new Error(`${provider.id} was asked for ${frequency} bars, which it cannot serve.`);
  const kind = provider.kindOf(symbol);
  const isFiltered = kind === 'exchange' && session === 'regular' && isIntraday(base);
  const side = resolveSide(provider, wanted.priceSide ?? undefined);
  // Currencies have no corporate actions, so that all adjustments share one series.
  const keptAdjustment = provider.serves === 'currencies' ? 'raw' : adjustment;
  const range = baseRange(wanted, window, base);
  const periods = base === frequency ? limit + 1 : (limit + 2) * periodsPerBar(base, frequency);
  for (let share = isFiltered ? EXTENDED_SHARE : 1; ; share *= 2) {
    const query = {
      symbol,
      frequency: base,
      adjustment: keptAdjustment,
      side,
      ...range,
      limit: Math.ceil(periods * share),
    };
    const collected = await collect(market, provider, query, window);
    // A provider that is a few minutes behind does not have the last bars yet. A longer bar without them would be wrong.
    const readable = Math.min(window.at, market.clock.now().getTime() - provider.delayMinutes * MINUTE_MS);
    const inHours = { ...collected, bars: selectSession(collected.bars, { frequency: base, kind, session }) };
    const built = base === frequency ? inHours : aggregate(inHours, wanted, { ...window, at: readable }, kind);
    const isEnough = built.bars.timestamps.length > limit || collected.reachedStart;
    const isBounded = collected.bars.timestamps.length < query.limit;
    if (isEnough || isBounded) return { ...built, symbol };
  }
}

/** Returns the period from which bars of the base frequency are needed. */
function baseRange({ frequency, start }: Wanted, { end }: BarWindow, base: BarFrequency) {
  if (base === frequency) return { start: start ?? undefined, end };
  return {
    // A period that began before `start` is not wanted, so its bars are not needed either.
    start: start === null ? undefined : firstPeriodFrom(frequency, start),
    end: periodEnd(frequency, end - 1) + (isIntraday(frequency) ? 0 : DAYS_BEYOND * DAY_MS),
  };
}

/** Reads bars from the store if the provider is behind a network, otherwise from the provider. */
function collect(
  market: BarsContext,
  provider: MarketProvider,
  query: PageQuery,
  { at, signal }: BarWindow,
): Promise<CollectedBars> {
  const { database, clock, barStore, isStoredOnly } = market;
  if (provider.requestsPerMinute !== null && database !== undefined && barStore !== undefined) {
    const { symbol, frequency, adjustment, side, start, end, limit } = query;
    const key = { symbol, frequency, adjustment, side };
    const read = isStoredOnly ? readStoredSeries : readSeries;
    return read({ database, clock, ...barStore }, provider, key, { start, end, limit, at, signal });
  }
  if (provider.requestsPerMinute !== null && isStoredOnly) throw new ProviderError(provider.id, 'NOT_FOUND');
  return collectBars(provider, query, { http: openProviderClient(market, provider, { signal }), at, signal });
}

/** Returns a symbol in the spelling of a provider. */
export function canonicalSymbol(
  { providers }: Pick<BarsContext, 'providers'>,
  provider: string,
  symbol: string,
): string {
  return providers.find(({ id }) => id === provider)?.canonicalSymbol(symbol) ?? symbol;
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

/**
 * How many days after the last period are read to see whether it is complete: more than the longest closure of the
 * exchange so far.
 */
const DAYS_BEYOND = 10;

function firstPeriodFrom(frequency: BarFrequency, start: number): number {
  return periodStart(frequency, start) === start ? start : periodEnd(frequency, start);
}

/** Builds longer bars from those that were read. */
function aggregate(
  collected: CollectedBars,
  { frequency, session }: Wanted,
  { end, at }: BarWindow,
  kind: ReturnType<MarketProvider['kindOf']>,
): CollectedBars {
  const { reachedStart, completeFrom } = collected;
  const { bars, firstCut, lastCut } = isIntraday(frequency)
    ? { bars: aggregateIntraday(collected.bars, frequency, completeFrom), firstCut: null, lastCut: null }
    : aggregateDays(collected.bars, frequency, kind);
  const cadence = { frequency, kind, hours: session };
  let count = bars.timestamps.length;
  const last = (): number => bars.timestamps[count - 1] as number;
  while (count > 0 && last() >= end) count--;
  const requested = count;
  while (count > 0 && !isCompleted(cadence, last(), at)) count--;
  // A period counts as dropped unless it lies outside the request or was cut off only because the query ended within
  // it.
  const isFirstDropped = firstCut !== null && firstCut < end && reachedStart;
  const isLastDropped = lastCut !== null && lastCut < end && lastCut !== firstCut;
  const incomplete = requested - count + Number(isFirstDropped) + Number(isLastDropped);
  const dropped: DroppedRows =
    incomplete === 0
      ? collected.dropped
      : { ...collected.dropped, not_completed: (collected.dropped.not_completed ?? 0) + incomplete };
  return { bars: sliceBars(bars, 0, count), dropped, reachedStart, completeFrom };
}
