export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * The supported range of dates, both ends included. It begins before the earliest economic series (Shiller's begins in
 * 1871) and ends after any forecast. An instant outside it is probably in the wrong unit, such as seconds instead of
 * milliseconds.
 */
export const EARLIEST_INSTANT = Date.UTC(1800, 0, 1);
export const LATEST_INSTANT = Date.UTC(2201, 0, 1) - 1;

/** Formats an instant for a message, in ISO 8601 if it is a valid date. */
export function formatInstant(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString();
}
