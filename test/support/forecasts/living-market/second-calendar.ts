// A second calendar for the year of the living market. It shares no code with src/calendar, so that an error there
// cannot hide itself.

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The closed weekdays of the New York exchange, from July 2024 to June 2026. */
const CLOSED = new Set(
  [
    '2024-07-04 2024-09-02 2024-11-28 2024-12-25',
    '2025-01-01 2025-01-09 2025-01-20 2025-02-17 2025-04-18 2025-05-26 2025-06-19 2025-07-04 2025-09-01 2025-11-27',
    '2025-12-25 2026-01-01 2026-01-19 2026-02-16 2026-04-03 2026-05-25 2026-06-19',
  ].flatMap((dates) => dates.split(' ')),
);
/** The sessions that end at 13:00. */
const HALF_DAYS = new Set(['2024-07-03', '2024-11-29', '2024-12-24', '2025-07-03', '2025-11-28', '2025-12-24']);
/** The Sundays on which New York changes its clocks: to summer time, and back. */
const SUMMERS = [
  ['2024-03-10', '2024-11-03'],
  ['2025-03-09', '2025-11-02'],
  ['2026-03-08', '2026-11-01'],
] as const;

/** The periods of the series of the market, by what ends them. */
export type PeriodKind = 'session' | 'session-week' | 'pair-day' | 'day' | 'hour' | 'week' | 'month';

export function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

export function dayAt(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

export function isOpen(day: number): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !CLOSED.has(dateOf(day));
}

/** Returns the sessions from one date to another, both included. */
export function listSessions(from: string, to: string): number[] {
  const days: number[] = [];
  for (let day = dayAt(from); day <= dayAt(to); day += DAY) if (isOpen(day)) days.push(day);
  return days;
}

/** Returns the instant at which a session closes. */
export function closeOf(day: number): number {
  return newYorkTime(day, HALF_DAYS.has(dateOf(day)) ? 13 : 16);
}

function newYorkTime(day: number, hour: number): number {
  const date = dateOf(day);
  const isSummer = SUMMERS.some(([from, to]) => date >= from && date < to);
  return day + (hour + (isSummer ? 4 : 5)) * HOUR;
}

/** Returns the instant at which the period of a row is over. */
export function endOf(kind: PeriodKind, timestamp: number): number {
  if (kind === 'session') return closeOf(timestamp);
  if (kind === 'hour') return timestamp + HOUR;
  // A row of a month has the date of its last day. No session of a week closes after Sunday.
  return timestamp + (kind === 'week' || kind === 'session-week' ? 7 * DAY : DAY);
}

/** Returns the instant from which the value of a period can be known: the end of the period or of its last trades. */
export function knownFrom(kind: PeriodKind, timestamp: number): number {
  if (kind === 'pair-day' && new Date(timestamp).getUTCDay() === 5) return newYorkTime(timestamp, 17);
  if (kind !== 'session-week') return endOf(kind, timestamp);
  const days = [4, 3, 2, 1, 0].map((day) => timestamp + day * DAY);
  return closeOf(days.find(isOpen) ?? timestamp);
}
