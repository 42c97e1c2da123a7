import { EARLIEST_INSTANT } from '../../calendar/index.ts';
import type { CheckedBars } from '../check-bars.ts';
import { NO_BARS } from './bar-tables.ts';
import { type Range, rangeBefore } from './coverage.ts';
import { countDrops, type LocatedDrop } from './dropped-rows.ts';
import type { WantedBars } from './plan-fetch.ts';
import { countBars, type StoredSeries, storedBars } from './stored-series.ts';

export interface StoredBars extends CheckedBars {
  /** Whether there are no older bars in the window. */
  readonly reachedStart: boolean;
  /** From this instant on the rows are complete. */
  readonly completeFrom: number;
}

/** Returns the stored bars of a window. */
export function answerWindow(series: StoredSeries, wanted: WantedBars): StoredBars {
  const { from, limit } = wanted;
  const to = lastKnown(series, wanted);
  const range = storedRange(series, wanted);
  if (range === undefined) return { bars: NO_BARS, dropped: {}, reachedStart: false, completeFrom: to };
  const known = { from: Math.max(from, range.from), to };
  const bars = storedBars(series, known.from, to, limit);
  const isLimited = countBars(series, known).count > limit;
  const completeFrom = isLimited ? (bars.timestamps[0] ?? to) : known.from;
  return {
    bars,
    dropped: countDrops(dropsWithin(series, { from: completeFrom, to })),
    reachedStart: !isLimited && range.from <= from,
    completeFrom: instantOf(completeFrom),
  };
}

/** Returns the stored range that has the latest bars of a window, or undefined. */
export function storedRange(series: StoredSeries, wanted: WantedBars): Range | undefined {
  return rangeBefore(series.coverage?.ranges ?? [], lastKnown(series, wanted));
}

/** Returns the end of the part of a window that is stored. */
export function lastKnown({ coverage }: StoredSeries, { to }: WantedBars): number {
  return Math.min(to, coverage?.ranges.at(-1)?.to ?? to);
}

/** Returns the dropped rows of a range. */
export function dropsWithin({ chunks }: StoredSeries, { from, to }: Range): readonly LocatedDrop[] {
  return [...chunks.values()].flatMap(({ dropped }) => dropped.filter(([time]) => time >= from && time < to));
}

/** Returns negative infinity for the beginning of the calendar, before which no bars exist. */
export function instantOf(instant: number): number {
  return instant === EARLIEST_INSTANT ? Number.NEGATIVE_INFINITY : instant;
}
