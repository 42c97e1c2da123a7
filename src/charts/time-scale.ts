import { DAY_MS, HOUR_MS } from './format-date.ts';

/** Maps times to pixels. */
export interface TimeScale {
  /** Whether the same distance is always the same time. Otherwise each row has the same distance to the next one. */
  readonly isLinear: boolean;
  readonly times: ArrayLike<number>;
  /** The months from row to row if rows have the last day of their month, quarter or year as time; otherwise 0. */
  readonly rowMonths: number;
  readonly first: number;
  readonly last: number;
  readonly left: number;
  readonly right: number;
  x(time: number): number;
  /** Whether rows are missing between two that follow each other. */
  isGap(from: number, to: number): boolean;
}

/** Bars within a day that cover less of the time than this come in sessions with nights between them. */
const MIN_COVERED = 0.6;
/** The longest time that an exchange is closed, with a margin. A longer time without rows is a gap. */
const MAX_CLOSED_MS = 8 * DAY_MS;
/** A distance of so many usual ones is a gap, which the line does not cross. Holidays are shorter. */
const GAP_STEPS = 10;

/**
 * Creates the scale of the rows at `times` (ascending). The nights between the sessions of an exchange would take most
 * of the width, so bars of minutes and hours that come in sessions have equal distances.
 */
export function createTimeScale(times: ArrayLike<number>, left: number, right: number): TimeScale {
  const first = times[0] ?? 0;
  const last = times[times.length - 1] ?? 0;
  const usual = usualDistance(times);
  const width = right - left;
  if (comeInSessions(times, usual)) {
    return {
      isLinear: false,
      times,
      rowMonths: 0,
      first,
      last,
      left,
      right,
      x: (time) => left + (width * rankOf(times, time)) / (times.length - 1),
      isGap: (from, to) => to - from > MAX_CLOSED_MS,
    };
  }
  // A single row is in the middle of its two days.
  const margin = last > first ? 0 : DAY_MS;
  const span = last - first + 2 * margin;
  return {
    isLinear: true,
    times,
    rowMonths: monthsBetween(times, usual),
    first: first - margin,
    last: last + margin,
    left,
    right,
    x: (time) => left + (width * (time - first + margin)) / span,
    isGap: (from, to) => to - from > GAP_STEPS * usual,
  };
}

/** Returns the median distance of neighboring rows, or 0 for less than two rows. */
function usualDistance(times: ArrayLike<number>): number {
  if (times.length < 2) return 0;
  const distances = new Float64Array(times.length - 1);
  for (let i = 0; i < distances.length; i++) distances[i] = (times[i + 1] ?? 0) - (times[i] ?? 0);
  distances.sort();
  return distances[Math.floor(distances.length / 2)] ?? 0;
}

/** Returns the months of the periods that rows stand for, or 0 if a row is not at the last day of a month. */
function monthsBetween(times: ArrayLike<number>, usual: number): number {
  // Two days can be the last ones of their months by chance.
  if (times.length < 3) return 0;
  for (let i = 0; i < times.length; i++) {
    const next = (times[i] ?? 0) + DAY_MS;
    if (next % DAY_MS !== 0 || new Date(next).getUTCDate() !== 1) return 0;
  }
  return usual > 300 * DAY_MS ? 12 : usual > 80 * DAY_MS ? 3 : 1;
}

function comeInSessions(times: ArrayLike<number>, usual: number): boolean {
  if (times.length < 10 || usual <= 0 || usual > 8 * HOUR_MS) return false;
  const span = (times[times.length - 1] ?? 0) - (times[0] ?? 0);
  if ((times.length - 1) * usual >= MIN_COVERED * span) return false;
  for (let i = 1; i < times.length; i++) if ((times[i] ?? 0) - (times[i - 1] ?? 0) > MAX_CLOSED_MS) return false;
  return true;
}

/** Returns the place of a time among the rows. Between two rows it is a fraction. */
function rankOf(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  const [from, to] = [times[low] ?? 0, times[high] ?? 0];
  return to > from ? low + Math.max(0, Math.min(1, (time - from) / (to - from))) : low;
}
