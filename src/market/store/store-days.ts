import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MINUTE_MS } from '../../calendar/index.ts';
import type { Adjustment } from '../../contract/index.ts';
import type { BarTable } from '../bars.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { rowsBetween } from './bar-tables.ts';
import { cadenceOf, checkDateAt, lastEndedBar, settledBefore } from './bar-times.ts';
import { DamagedChunkError } from './chunk-codec.ts';
import { type Range, rangeBefore } from './coverage.ts';
import { loadDays, type SeriesChunkRow, seriesOf } from './load-series.ts';
import type { BarStoreContext } from './read-series.ts';
import { countAddedBytes } from './store-size.ts';
import { type FetchedBars, type MergedSeries, mergeFetched, type StoredSeries, storedBars } from './stored-series.ts';
import { deleteSeries, writeSeries } from './write-series.ts';

/** The sessions that were requested for many symbols at once. */
export interface RequestedDays {
  /** Sessions from this one on, and before `end`. */
  readonly start: number;
  readonly end: number;
  /** When they were requested. */
  readonly at: number;
  /** Default: split. */
  readonly adjustment?: Adjustment | undefined;
}

/** The stored days of a symbol. */
export interface StoredDays {
  readonly bars: BarTable;
  /** The days from `from` on and before `to` are complete. */
  readonly from: number;
  readonly to: number;
  /** The session for which adjusted prices were last checked; null if they are not adjusted. */
  readonly checkedOn: number | null;
}

/** The number of symbols in one statement. */
const BATCH = 500;
/** The number of symbols whose bars are compressed or restored without a pause: about 5 ms. */
const STEP = 20;
const MAX_ATTEMPTS = 3;

/**
 * Adds daily bars of many symbols to the store, which were read in bulk and passed `checkBars`. A table without bars
 * means that the symbol has none in these sessions.
 *
 * Sessions that are already stored must agree, including those that are not settled: the sessions before them are not
 * read again, so a split would otherwise be taken for a correction. Adjusted bars must overlap stored ones once per
 * session date. Sessions without a bar are added without that.
 *
 * @returns the symbols whose bars were not stored because they did not agree or did not overlap. Read them with
 *   `readSeries`, which requests each from the provider
 */
export async function storeDays(
  context: BarStoreContext,
  provider: MarketProvider,
  rows: ReadonlyMap<string, BarTable>,
  requested: RequestedDays,
): Promise<readonly string[]> {
  const disagreed: string[] = [];
  const symbols = [...rows.keys()];
  for (let from = 0; from < symbols.length; from += BATCH) {
    let pending: readonly string[] = symbols.slice(from, from + BATCH);
    for (let attempt = 0; pending.length > 0; attempt++) {
      const stored = await storeBatch(context, provider, rows, pending, requested);
      disagreed.push(...stored.disagreed);
      pending = stored.changed;
      // The symbols were changed by other processes, which have read them themselves.
      if (attempt === MAX_ATTEMPTS) break;
    }
  }
  return disagreed;
}

async function storeBatch(
  context: BarStoreContext,
  provider: MarketProvider,
  rows: ReadonlyMap<string, BarTable>,
  symbols: readonly string[],
  requested: RequestedDays,
): Promise<{ readonly disagreed: readonly string[]; readonly changed: readonly string[] }> {
  const { database, log } = context;
  const keys = { adjustment: requested.adjustment ?? 'split', side: provider.sides[0] } as const;
  const nameOf = (symbol: string) => ({ ...keys, provider: provider.id, symbol, frequency: '1D' }) as const;
  const range = { from: requested.start, to: requested.end };
  const loaded = await loadDays(database, nameOf(''), symbols, range);
  const disagreed: string[] = [];
  const merged: { name: ReturnType<typeof nameOf>; merged: MergedSeries }[] = [];
  for (const [i, symbol] of symbols.entries()) {
    if (i % STEP === 0) await yieldToEventLoop();
    const name = nameOf(symbol);
    const cadence = cadenceOf(name, provider.kindOf(symbol));
    const fetched = fetchedDays(provider, symbol, rows.get(symbol) as BarTable, requested, keys.adjustment);
    const series = readRows(loaded.get(symbol) ?? []);
    const one = series && mergeFetched(cadence, series, withoutCheck(fetched, series), true);
    if (one && (series?.coverage === null || !one.isReplaced)) {
      if (one.series.coverage.lastBar !== null || !one.isReplaced) merged.push({ name, merged: one });
      continue;
    }
    disagreed.push(symbol);
    // A series that was only not compared stays: the next read checks it.
    if (one) continue;
    log.warn(name, series === null ? 'stored bars are damaged' : 'stored days have changed');
    await deleteSeries(database, name);
  }
  if (merged.length === 0) return { disagreed, changed: [] };
  const written = await writeSeries(database, merged, requested.at);
  await countAddedBytes(
    context,
    written.reduce((sum, one) => sum + (one?.addedBytes ?? 0), 0),
  );
  return { disagreed, changed: merged.filter((_, i) => written[i] === null).map(({ name }) => name.symbol) };
}

/** Returns what was fetched. Without bars there is nothing to compare, and what is stored stays checked as it was. */
function withoutCheck(fetched: FetchedBars, { coverage }: StoredSeries): FetchedBars {
  if (fetched.bars.timestamps.length > 0 || coverage === null) return fetched;
  return { ...fetched, range: { ...fetched.range, checkDate: coverage.checkedOn } };
}

/** Returns a series; null if it is damaged. */
function readRows(rows: readonly SeriesChunkRow[]): StoredSeries | null {
  try {
    return seriesOf(rows, '1D');
  } catch (error) {
    if (error instanceof DamagedChunkError) return null;
    throw error;
  }
}

function fetchedDays(
  provider: MarketProvider,
  symbol: string,
  bars: BarTable,
  { start, end, at }: RequestedDays,
  adjustment: Adjustment,
): FetchedBars {
  const kind = provider.kindOf(symbol);
  const cadence = cadenceOf({ frequency: '1D' }, kind);
  const available = at - provider.delayMinutes * MINUTE_MS;
  const latest = lastEndedBar(cadence, available);
  const to = Math.min(end, latest + 1);
  return {
    range: {
      from: start,
      to,
      settledTo: settledBefore(cadence, available),
      requestedAt: to === latest + 1 ? at : null,
      checkDate: adjustment !== 'raw' && kind === 'exchange' ? checkDateAt(at) : null,
    },
    bars: rowsBetween(bars, start, to),
    dropped: [],
  };
}

/**
 * Returns the stored days of many symbols without a request to the provider. For each, only the latest contiguous days
 * before `end` are returned. Symbols that are not stored are absent.
 */
export async function readDaysOfMany(
  context: BarStoreContext,
  provider: MarketProvider,
  symbols: readonly string[],
  {
    start,
    end,
    adjustment = 'split',
  }: { readonly start: number; readonly end: number; readonly adjustment?: Adjustment },
): Promise<ReadonlyMap<string, StoredDays>> {
  const days = new Map<string, StoredDays>();
  const keys = { provider: provider.id, adjustment, side: provider.sides[0] };
  for (let from = 0; from < symbols.length; from += BATCH) {
    const loaded = await loadDays(context.database, keys, symbols.slice(from, from + BATCH), { from: start, to: end });
    let read = 0;
    for (const [symbol, rows] of loaded) {
      if (read++ % STEP === 0) await yieldToEventLoop();
      const series = readRows(rows);
      const one = series && latestDays(series, { from: start, to: end });
      if (one) days.set(symbol, one);
    }
  }
  return days;
}

function latestDays(series: StoredSeries, { from, to }: Range): StoredDays | null {
  const { coverage } = series;
  if (coverage === null) return null;
  const end = Math.min(to, coverage.ranges.at(-1)?.to ?? to);
  const range = rangeBefore(coverage.ranges, end) ?? coverage.ranges.findLast((one) => one.to <= end);
  if (range === undefined) return null;
  const known = { from: Math.max(from, range.from), to: Math.min(end, range.to) };
  if (known.to <= known.from) return null;
  return { bars: storedBars(series, known.from, known.to), ...known, checkedOn: coverage.checkedOn };
}
