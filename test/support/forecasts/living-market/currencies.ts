import { type PublishedRow, walk } from './published-series.ts';
import { DAY, dateOf, dayAt, HOUR, knownFrom } from './second-calendar.ts';
import { FIRST_DATE, LAST_DATE } from './stocks.ts';

/** Weekdays on which the pair does not trade although the calendar of currencies has them. */
const HOLIDAYS = new Set(['2024-12-25', '2025-01-01', '2025-04-18', '2025-12-25', '2026-01-01']);
/** Hours are kept for this part of the year only. */
const HOURS_FROM = '2025-01-05';
/** Trading begins on Sunday and ends on Friday at 17:00 in New York. From 22:00 on, that is so in summer and winter. */
const OPENING_HOUR = 22;
const CLOSING_HOUR = 21;

/** The rows of EURUSD: of its days, Sunday to Friday, and of its hours. */
export interface Pair {
  readonly days: readonly PublishedRow[];
  readonly hours: readonly PublishedRow[];
}

export function createPair(seed: number): Pair {
  const days: number[] = [];
  const hours: number[] = [];
  for (let day = dayAt(FIRST_DATE); day <= dayAt(LAST_DATE); day += DAY) {
    const weekday = new Date(day).getUTCDay();
    if (weekday === 6 || HOLIDAYS.has(dateOf(day))) continue;
    days.push(day);
    if (day < dayAt(HOURS_FROM)) continue;
    const [from, to] = weekday === 0 ? [OPENING_HOUR, 24] : [0, weekday === 5 ? CLOSING_HOUR : 24];
    for (let hour = from; hour < to; hour++) hours.push(day + hour * HOUR);
  }
  return { days: publish(days, 'pair-day', seed + 11), hours: publish(hours, 'hour', seed + 12) };
}

function publish(timestamps: readonly number[], kind: 'pair-day' | 'hour', seed: number): PublishedRow[] {
  // In points: a hundredth of a point of a rate near 11,000 is far below its changes.
  const values = walk(timestamps.length, { seed, start: 11_000, spread: kind === 'hour' ? 0.0015 : 0.006 });
  return timestamps.map((timestamp, i) => ({
    timestamp,
    versions: [{ value: (values[i] as number) / 10_000, publishedAt: knownFrom(kind, timestamp) }],
  }));
}
