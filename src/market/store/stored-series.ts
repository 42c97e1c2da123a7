import type { BarFrequency, Cadence } from '../../calendar/index.ts';
import type { BarTable } from '../bars.ts';
import {
  chunkStart,
  haveSamePrices,
  isSameTable,
  joinTables,
  NO_BARS,
  rowsAt,
  rowsBetween,
  sliceRows,
  splitByChunk,
} from './bar-tables.ts';
import { type Coverage, coverRange, extendCoverage, type Range, type ReadRange, settledRanges } from './coverage.ts';
import { boundDrops, type LocatedDrop } from './dropped-rows.ts';

/** The bars of one calendar period of a series. */
export interface Chunk {
  readonly bars: BarTable;
  readonly dropped: readonly LocatedDrop[];
  /** The stored size in bytes; 0 if it is not stored. */
  readonly size: number;
}

/** A series as it was loaded, with some of its chunks. */
export interface StoredSeries {
  /** Null if the series is not stored. */
  readonly id: number | null;
  /** Changes with every write, so that concurrent writers do not overwrite each other. */
  readonly version: number;
  /** Null if nothing is known about the series. */
  readonly coverage: Coverage | null;
  /** By the start of the chunk. */
  readonly chunks: ReadonlyMap<number, Chunk>;
  readonly usedAt: number;
}

export const NO_SERIES: StoredSeries = { id: null, version: 0, coverage: null, chunks: new Map(), usedAt: 0 };

/** Bars that were read from a provider. */
export interface FetchedBars {
  readonly range: Omit<ReadRange, 'timestamps'>;
  readonly bars: BarTable;
  readonly dropped: readonly LocatedDrop[];
  /** Whether settled bars may be added to the stored ones. */
  readonly isRepair?: boolean | undefined;
}

export interface MergedSeries {
  readonly series: StoredSeries & { readonly coverage: Coverage };
  /** The starts of the chunks that must be written. A chunk without bars and dropped rows must be removed. */
  readonly changed: readonly number[];
  /** Whether nothing of what was stored is kept. */
  readonly isReplaced: boolean;
}

/**
 * Adds fetched bars to a series. Settled bars are kept and others are replaced. Returns null if a settled bar differs:
 * the stored series must then be discarded. A settled bar that is not stored differs as well, except in a repair.
 *
 * @param series with all chunks of the fetched range
 * @param isStrict whether bars that are not settled must agree as well
 */
export function mergeFetched(
  cadence: Cadence,
  series: StoredSeries,
  fetched: FetchedBars,
  isStrict = false,
): MergedSeries | null {
  const { range, bars, isRepair = false } = fetched;
  const read: ReadRange = { ...range, timestamps: bars.timestamps };
  const { coverage } = series;
  if (coverage === null) return replaceSeries(cadence, series, fetched, read);
  const settled = settledRanges(coverage).flatMap((one) => intersect(one, range));
  const compared = isStrict ? coverage.ranges.flatMap((one) => intersect(one, range)) : settled;
  let agreeing = 0;
  for (const { from, to } of compared) {
    const stored = storedBars(series, from, to);
    const again = rowsBetween(bars, from, to);
    if (!haveSamePrices(stored, isRepair ? rowsAt(again, stored.timestamps) : again)) return null;
    agreeing += stored.timestamps.length;
  }
  // Without a bar in common, nothing shows that the stored bars are adjusted in the same way as the fetched ones.
  const isUnchecked = range.checkDate !== null && coverage.checkedOn !== range.checkDate && agreeing === 0;
  if (isUnchecked) return replaceSeries(cadence, { ...series, chunks: new Map() }, fetched, read);
  return {
    ...mergeChunks(cadence, series, fetched, isRepair ? [] : settled, extendCoverage(cadence, coverage, read)),
    isReplaced: false,
  };
}

function replaceSeries(cadence: Cadence, series: StoredSeries, fetched: FetchedBars, read: ReadRange): MergedSeries {
  return { ...mergeChunks(cadence, series, fetched, [], coverRange(read)), isReplaced: true };
}

function mergeChunks(
  { frequency }: Cadence,
  series: StoredSeries,
  { range, bars, dropped }: FetchedBars,
  settled: readonly Range[],
  coverage: Coverage,
): Omit<MergedSeries, 'isReplaced'> {
  const fetchedChunks = splitByChunk(joinSettled(series, range, bars, settled), frequency as BarFrequency);
  const droppedChunks = Map.groupBy(dropped, ([time]) => chunkStart(frequency as BarFrequency, time));
  const starts = new Set([...fetchedChunks.keys(), ...droppedChunks.keys()]);
  for (const start of chunksWithin(series, frequency as BarFrequency, range)) starts.add(start);
  const chunks = new Map(series.chunks);
  const changed: number[] = [];
  for (const start of [...starts].sort((a, b) => a - b)) {
    const before = series.chunks.get(start);
    const merged = mergeChunk(before, fetchedChunks.get(start) ?? NO_BARS, droppedChunks.get(start) ?? [], range);
    const isSame =
      before !== undefined && isSameTable(before.bars, merged.bars) && isSameList(before.dropped, merged.dropped);
    if (isSame) continue;
    chunks.set(start, merged);
    changed.push(start);
  }
  return { series: { ...series, coverage, chunks }, changed };
}

function mergeChunk(
  before: Chunk | undefined,
  bars: BarTable,
  dropped: readonly LocatedDrop[],
  { from, to }: Range,
): Chunk {
  if (before === undefined) return { bars, dropped: boundDrops(dropped), size: 0 };
  const [earlier, later] = [
    rowsBetween(before.bars, Number.NEGATIVE_INFINITY, from),
    rowsBetween(before.bars, to, Number.POSITIVE_INFINITY),
  ];
  const kept = before.dropped.filter(([time]) => time < from || time >= to);
  return {
    bars: joinTables([earlier, bars, later]),
    dropped: boundDrops([...kept, ...dropped].sort(([a], [b]) => a - b)),
    size: before.size,
  };
}

/** Returns the fetched bars with the stored ones in the settled ranges, so that the answers of the past stay the same. */
function joinSettled(series: StoredSeries, range: Range, bars: BarTable, settled: readonly Range[]): BarTable {
  const parts: BarTable[] = [];
  let at = range.from;
  for (const { from, to } of settled) {
    parts.push(rowsBetween(bars, at, from), storedBars(series, from, to));
    at = to;
  }
  parts.push(rowsBetween(bars, at, range.to));
  return joinTables(parts);
}

/** Returns the loaded bars from one instant to another (exclusive), at most the latest `limit`. */
export function storedBars(series: StoredSeries, from: number, to: number, limit = Number.POSITIVE_INFINITY): BarTable {
  const tables: BarTable[] = [];
  let rows = 0;
  for (const { bars } of newestFirst(series)) {
    const table = rowsBetween(bars, from, to);
    const surplus = Math.max(0, table.timestamps.length + rows - limit);
    if (table.timestamps.length > surplus) tables.unshift(sliceRows(table, surplus, table.timestamps.length));
    rows += table.timestamps.length - surplus;
    if (rows === limit) break;
  }
  return joinTables(tables);
}

/** Counts the loaded bars of a range. */
export function countBars(
  series: StoredSeries,
  { from, to }: Range,
): { readonly count: number; readonly oldest: number | undefined } {
  let count = 0;
  let oldest: number | undefined;
  for (const { bars } of newestFirst(series)) {
    const { timestamps } = rowsBetween(bars, from, to);
    count += timestamps.length;
    oldest = timestamps[0] ?? oldest;
  }
  return { count, oldest };
}

function newestFirst({ chunks }: StoredSeries): readonly Chunk[] {
  const starts = [...chunks.keys()].sort((a, b) => b - a);
  return starts.map((start) => chunks.get(start) as Chunk);
}

/** Returns the starts of the loaded chunks that can have bars within a range. */
function chunksWithin({ chunks }: StoredSeries, frequency: BarFrequency, { from, to }: Range): readonly number[] {
  const first = chunkStart(frequency, from);
  return [...chunks.keys()].filter((start) => start >= first && start < to);
}

function intersect(one: Range, other: Range): readonly Range[] {
  const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
  return both.from < both.to ? [both] : [];
}

function isSameList(one: readonly LocatedDrop[], other: readonly LocatedDrop[]): boolean {
  return one.length === other.length && one.every((drop, i) => drop.every((part, j) => part === other[i]?.[j]));
}
