const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function formatMonth(time: number): string {
  return MONTHS[new Date(time).getUTCMonth()] ?? '';
}

export function formatQuarter(time: number): string {
  return `Q${Math.floor(new Date(time).getUTCMonth() / 3) + 1}`;
}

export function formatYear(time: number): string {
  return String(new Date(time).getUTCFullYear());
}

/** @example formatDay(0) // Jan 1 */
export function formatDay(time: number): string {
  return `${formatMonth(time)} ${new Date(time).getUTCDate()}`;
}

/** @example formatTime(0) // 00:00 */
export function formatTime(time: number): string {
  const date = new Date(time);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

/** @example formatDate(0) // Jan 1, 1970 */
export function formatDate(time: number): string {
  return `${formatDay(time)}, ${formatYear(time)}`;
}

/** Formats an instant for a sentence: the day, and the time if the rows are closer than a day. */
export function formatInstant(time: number, hasTimes: boolean): string {
  return hasTimes ? `${formatDate(time)}, ${formatTime(time)} UTC` : formatDate(time);
}

/** Formats an instant for a table, such as 2026-03-14 or 2026-03-14 09:30. */
export function formatTableTime(time: number, hasTimes: boolean): string {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const years = year >= 0 && year <= 9999 ? String(year).padStart(4, '0') : String(year);
  const day = `${years}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
  return hasTimes ? `${day} ${formatTime(time)}` : day;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
