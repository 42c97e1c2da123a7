import {
  type BarFrequency,
  DAY_MS,
  nextSession,
  periodEnd,
  periodStart,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  type SeriesKind,
} from '../calendar/index.ts';
import { BAR_COLUMNS, type BarColumn, type BarTable } from './bars.ts';

/**
 * Builds weeks or months from daily bars: first open, highest high, lowest low, last close, summed volume. Days that
 * are missing within a period are not filled in. A period that is cut off at the start or the end of the daily bars is
 * omitted, because it would look like a complete one.
 *
 * @returns the bars, and the starts of the first and the last period if they were omitted
 */
export function aggregateDays(days: BarTable, frequency: BarFrequency, kind: SeriesKind) {
  const { timestamps, columns } = days;
  const starts: number[] = [];
  const built: Record<BarColumn, number[]> = { open: [], high: [], low: [], close: [], volume: [] };
  let firstCut: number | null = null;
  let lastCut: number | null = null;
  for (let from = 0, to = 0; from < timestamps.length; from = to) {
    const start = periodStart(frequency, timestamps[from] as number);
    const end = periodEnd(frequency, start);
    while (to < timestamps.length && (timestamps[to] as number) < end) to++;
    if (from === 0 && (timestamps[0] as number) > firstDay(start, kind)) firstCut = start;
    if (to === timestamps.length && (timestamps[to - 1] as number) < lastDay(end, kind)) lastCut = start;
    if (firstCut === start || lastCut === start) continue;
    starts.push(start);
    built.open.push(columns.open[from] as number);
    built.high.push(reduce(columns.high, from, to, Math.max));
    built.low.push(reduce(columns.low, from, to, Math.min));
    built.close.push(columns.close[to - 1] as number);
    built.volume.push(reduce(columns.volume, from, to, (sum, volume) => sum + volume));
  }
  const table: BarTable = {
    timestamps: Float64Array.from(starts),
    columns: Object.fromEntries(
      BAR_COLUMNS.map((name) => [name, Float64Array.from(built[name])]),
    ) as BarTable['columns'],
  };
  return { bars: table, firstCut, lastCut };
}

/**
 * Returns the first day of a period that can have a bar. If sessions are not known, that is any day from Monday to
 * Friday.
 */
function firstDay(start: number, kind: SeriesKind): number {
  if (hasSessions(kind, start)) return nextSession(start - DAY_MS);
  let day = start;
  while (isWeekend(day)) day += DAY_MS;
  return day;
}

function lastDay(end: number, kind: SeriesKind): number {
  if (hasSessions(kind, end)) return previousSession(end);
  let day = end - DAY_MS;
  while (isWeekend(day)) day -= DAY_MS;
  return day;
}

function hasSessions(kind: SeriesKind, day: number): boolean {
  return kind === 'exchange' && day > SESSIONS_KNOWN_FROM && day < SESSIONS_KNOWN_TO;
}

function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
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
