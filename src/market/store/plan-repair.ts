import { DAY_MS, EARLIEST_INSTANT, fixedStep, HOUR_MS } from '../../calendar/index.ts';
import { answerWindow, dropsWithin, lastKnown, storedRange } from './answer-window.ts';
import type { LocatedDrop } from './dropped-rows.ts';
import { countPeriods, type FetchPlan, startOf, type WantedBars } from './plan-fetch.ts';
import type { StoredSeries } from './stored-series.ts';

/** How long after invalid rows were read they are read again. */
const REPAIR_AFTER_MS = HOUR_MS;
/**
 * The number of periods before and after the invalid rows that are also read, for each of them: so many that a reply
 * with only these invalid rows does not count as failed.
 */
const PERIODS_PER_ROW = 20;
/** The largest number of rows of a repair that begins with the history of the instrument. */
const MAX_ROWS = 50_000;

/**
 * Returns the query that reads the invalid rows of a window again, if they were read more than an hour ago: the provider
 * may only have been faulty for a moment. Returns null if there are none.
 */
export function planRepair(series: StoredSeries, wanted: WantedBars): FetchPlan | null {
  const isDue = ([, , , readAt]: LocatedDrop) => readAt !== null && readAt <= wanted.now - REPAIR_AFTER_MS;
  const range = storedRange(series, wanted);
  if (range === undefined || !dropsWithin(series, range).some(isDue)) return null;
  const from = Math.max(range.from, answerWindow(series, wanted).completeFrom);
  const due = dropsWithin(series, { from, to: lastKnown(series, wanted) }).filter(isDue);
  if (due.length === 0) return null;
  const { cadence } = wanted;
  const rows = due.reduce((sum, drop) => sum + drop[2], 0);
  const margin = rows * PERIODS_PER_ROW * (fixedStep(cadence.frequency) ?? DAY_MS);
  const times = due.map(([time]) => time);
  // The period of a row with a wrong timestamp is unknown.
  const isAnywhere = due.some(([, reason]) => reason === 'bad_timestamp');
  const first = isAnywhere ? from : times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const start = Math.max(range.from, first - margin);
  const end = Math.min(range.to, last + margin + 1);
  return {
    start: startOf(start),
    end,
    limit: start === EARLIEST_INSTANT ? MAX_ROWS : countPeriods(cadence, start, end),
    isOptional: true,
    isRepair: true,
  };
}
