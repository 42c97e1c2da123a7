import {
  DAY_MS,
  formatDay,
  formatMonth,
  formatQuarter,
  formatTime,
  formatYear,
  HOUR_MS,
  MINUTE_MS,
} from './format-date.ts';
import { estimateWidth } from './text.ts';
import type { TimeScale } from './time-scale.ts';

/** A tick of the time axis. The second line of its label is empty unless it differs from that of the tick before. */
export interface TimeTick {
  readonly x: number;
  readonly label: string;
  readonly context: string;
}

type Unit = 'minute' | 'day' | 'month' | 'year';

/** The distances between ticks, smallest first. */
const STEPS: readonly (readonly [Unit, number])[] = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((count) => ['minute', count] as const),
  ...[1, 2, 7, 14].map((count) => ['day', count] as const),
  ...[1, 3, 6].map((count) => ['month', count] as const),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000].map((count) => ['year', count] as const),
];

/** The smallest distance in pixels at which two labels are easy to tell apart. */
const MIN_DISTANCE: Readonly<Record<Unit, number>> = { minute: 60, day: 64, month: 48, year: 50 };

const FONT_SIZE = 12;

/**
 * Returns the ticks of a scale: as many as have room for their labels, at round times. Rows that stand for months, quarters
 * or years have the last day of these as time, and so have their ticks.
 */
export function timeTicks(scale: TimeScale): TimeTick[] {
  const room = (unit: Unit): number => (scale.right - scale.left) / MIN_DISTANCE[unit];
  for (const [unit, count] of STEPS) {
    if (scale.rowMonths > 0 && monthsOf(unit, count) < scale.rowMonths) continue;
    // A distance that would give far more ticks than there is room for is not tried, because a century has many minutes.
    if (scale.isLinear && (scale.last - scale.first) / lengthOf(unit, count) > room(unit) + 2) continue;
    const times = scale.isLinear ? roundTimes(unit, count, scale) : firstRows(unit, count, scale.times);
    const places = times.map((time) => scale.x(time));
    const isCrowded = places.some((x, i) => i > 0 && x - (places[i - 1] ?? 0) < MIN_DISTANCE[unit]);
    if (isCrowded || times.length > room(unit) + 2) continue;
    if (times.length < 2 && unit === 'minute' && count === 1) break;
    // In sessions, the first row of each day is a day and not a time of the day.
    const isDays = times.length > 1 && new Set(times.map((time) => Math.floor(time / DAY_MS))).size === times.length;
    const name = unit === 'month' && scale.rowMonths === 3 ? 'quarter' : unit;
    return labelTicks(isDays && unit === 'minute' ? 'day' : name, times, places);
  }
  return labelTicks('minute', [scale.first], [scale.x(scale.first)]);
}

function monthsOf(unit: Unit, count: number): number {
  return unit === 'year' ? 12 * count : unit === 'month' ? count : 0;
}

function lengthOf(unit: Unit, count: number): number {
  if (unit === 'minute') return count * MINUTE_MS;
  return count * DAY_MS * (unit === 'day' ? 1 : unit === 'month' ? 28 : 365);
}

/** Returns the number of the period that contains a time: two times in the same period have the same number. */
function periodOf(unit: Unit, count: number, time: number): number {
  if (unit === 'minute') return Math.floor(time / (count * MINUTE_MS));
  // Weeks begin on Mondays; 1970 began on a Thursday.
  if (unit === 'day') return Math.floor((time + (count % 7 === 0 ? 3 * DAY_MS : 0)) / (count * DAY_MS));
  const date = new Date(time);
  const months = unit === 'month' ? date.getUTCMonth() : 0;
  return unit === 'month'
    ? Math.floor((date.getUTCFullYear() * 12 + months) / count)
    : Math.floor(date.getUTCFullYear() / count);
}

/** Returns when a period begins: the inverse of `periodOf`. */
function startOf(unit: Unit, count: number, period: number): number {
  if (unit === 'minute') return period * count * MINUTE_MS;
  if (unit === 'day') return period * count * DAY_MS - (count % 7 === 0 ? 3 * DAY_MS : 0);
  const months = unit === 'month' ? period * count : period * count * 12;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(Math.floor(months / 12), months - Math.floor(months / 12) * 12, 1);
}

function roundTimes(unit: Unit, count: number, { first, last, rowMonths }: TimeScale): number[] {
  const times: number[] = [];
  for (let period = periodOf(unit, count, first); ; period++) {
    const start = startOf(unit, count, period);
    if (!(start <= last) || times.length > 200) return times;
    const time = rowMonths === 0 ? start : firstEnd(start, rowMonths);
    if (time >= first && time <= last) times.push(time);
  }
}

/** Returns the last day of the first month, quarter or year after a time at which one starts. */
function firstEnd(start: number, months: number): number {
  const end = new Date(start);
  return end.setUTCMonth(end.getUTCMonth() + months) - DAY_MS;
}

/** Returns the first row of each period. */
function firstRows(unit: Unit, count: number, times: ArrayLike<number>): number[] {
  const rows: number[] = [];
  let before = Number.NaN;
  for (let i = 0; i < times.length && rows.length <= 200; i++) {
    const time = times[i] ?? 0;
    const period = periodOf(unit, count, time);
    // The first row is not a tick: its period may have begun before it.
    if (period !== before && i > 0) rows.push(time);
    before = period;
  }
  return rows;
}

function labelTicks(unit: Unit | 'quarter', times: readonly number[], places: readonly number[]): TimeTick[] {
  const format = { minute: formatTime, day: formatDay, month: formatMonth, quarter: formatQuarter, year: formatYear }[
    unit
  ];
  const hasTimes = unit === 'minute';
  const contexts = times.map((time) => (unit === 'year' ? '' : hasTimes ? formatDay(time) : formatYear(time)));
  const full = (i: number): string =>
    hasTimes && times[i] !== undefined ? `${contexts[i]}, ${formatYear(times[i])} UTC` : (contexts[i] ?? '');
  const shown = contexts.map((context, i) => (i === 0 ? full(0) : context === contexts[i - 1] ? '' : context));
  const second = shown.findIndex((context, i) => i > 0 && context !== '');
  if (second > 0) {
    const width = estimateWidth(full(0), FONT_SIZE) / 2 + estimateWidth(full(second), FONT_SIZE) / 2 + 8;
    // Two contexts side by side would overlap: the one that begins a day or a year stays.
    if ((places[second] ?? 0) - (places[0] ?? 0) < width) {
      shown[0] = '';
      shown[second] = full(second);
    }
  }
  let end = Number.NEGATIVE_INFINITY;
  return times.map((time, i) => {
    const x = places[i] ?? 0;
    const half = estimateWidth(shown[i] ?? '', FONT_SIZE) / 2;
    const context = x - half > end + 6 ? (shown[i] ?? '') : '';
    if (context !== '') end = x + half;
    return { x, label: format(time), context };
  });
}

/** Whether rows are so close that their times matter and not only their days. */
export function hasTimesOfDay(times: ArrayLike<number>): boolean {
  for (let i = 1; i < times.length; i++) if ((times[i] ?? 0) - (times[i - 1] ?? 0) < 20 * HOUR_MS) return true;
  return times.length === 1 && (times[0] ?? 0) % DAY_MS !== 0;
}
