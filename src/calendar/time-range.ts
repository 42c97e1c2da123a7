export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * The years we serve, both ends included. Older than any economic record we know of (Shiller's begins in 1871), later
 * than any forecast: what lies outside is a unit mistake (seconds for milliseconds, say) rather than a date.
 */
export const EARLIEST_INSTANT = Date.UTC(1800, 0, 1);
export const LATEST_INSTANT = Date.UTC(2201, 0, 1) - 1;

/** An instant for a message: ISO where it is a date at all. */
export function sayInstant(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString();
}
