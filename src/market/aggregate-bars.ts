import { type BarFrequency, DAY_MS, isTradingDay, periodEnd, periodStart, type SeriesKind } from '../calendar/index.ts';
import { BAR_COLUMNS, type BarColumn, type BarTable } from './bars.ts';

/**
 * Builds weeks or months from daily bars. A period that is cut off at the start or the end of the daily bars is omitted,
 * because it would look like a complete one.
 *
 * @returns the bars, and the starts of the first and the last period if they were omitted
 */
export function aggregateDays(days: BarTable, frequency: BarFrequency, kind: SeriesKind) {
  const { timestamps } = days;
  let firstCut: number | null = null;
  let lastCut: number | null = null;
  const bars = combineBars(days, frequency, (start, end, from, to) => {
    if (from === 0 && (timestamps[0] as number) > firstDay(start, kind)) firstCut = start;
    if (to === timestamps.length && (timestamps[to - 1] as number) < lastDay(end, kind)) lastCut = start;
    return firstCut !== start && lastCut !== start;
  });
  return { bars, firstCut, lastCut };
}

/**
 * Builds longer bars within a day, such as hours, in UTC periods. Periods that begin before `completeFrom` are omitted,
 * because older bars that belong to them were not read.
 */
export function aggregateIntraday(bars: BarTable, frequency: BarFrequency, completeFrom: number): BarTable {
  return combineBars(bars, frequency, (start) => start >= completeFrom);
}

/**
 * Combines the bars of each period: first open, highest high, lowest low, last close, summed volume. Bars that are
 * missing within a period are not filled in.
 *
 * @param isWanted decides about a period from its start and end, and from the range of rows that belong to it
 */
function combineBars(
  { timestamps, columns }: BarTable,
  frequency: BarFrequency,
  isWanted: (start: number, end: number, from: number, to: number) => boolean,
): BarTable {
  const starts: number[] = [];
  const built: Record<BarColumn, number[]> = { open: [], high: [], low: [], close: [], volume: [] };
  for (let from = 0, to = 0; from < timestamps.length; from = to) {
    const start = periodStart(frequency, timestamps[from] as number);
    const end = periodEnd(frequency, start);
    while (to < timestamps.length && (timestamps[to] as number) < end) to++;
    if (!isWanted(start, end, from, to)) continue;
    starts.push(start);
    built.open.push(columns.open[from] as number);
    built.high.push(reduce(columns.high, from, to, Math.max));
    built.low.push(reduce(columns.low, from, to, Math.min));
    built.close.push(columns.close[to - 1] as number);
    built.volume.push(reduce(columns.volume, from, to, (sum, volume) => sum + volume));
  }
  return {
    timestamps: Float64Array.from(starts),
    columns: Object.fromEntries(
      BAR_COLUMNS.map((name) => [name, Float64Array.from(built[name])]),
    ) as BarTable['columns'],
  };
}

/** Returns the first day of a period that can have a bar. */
function firstDay(start: number, kind: SeriesKind): number {
  let day = start;
  while (!isTradingDay(day, kind)) day += DAY_MS;
  return day;
}

function lastDay(end: number, kind: SeriesKind): number {
  let day = end - DAY_MS;
  while (!isTradingDay(day, kind)) day -= DAY_MS;
  return day;
}

function reduce(
  values: Float64Array,
  from: number,
  to: number,
  combine: (one: number, other: number) => number,
): number {
  let result = values[from] as number;
  for (let i = from + 1; i < to; i++) result = combine(result, values[i] as number);
  return result;
}
