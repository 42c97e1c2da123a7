import { parsePeriod } from './parse-period.ts';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
const ISO_LENGTH = '2024-03-28T12:51:02.000Z'.length;
const MINUTE_MS = 60_000;

/**
 * Returns an instant as ISO 8601 in UTC with milliseconds; null if the text has no offset or names no date that exists.
 *
 * @example parseInstant('2024-03-28 07:51:02-05') // '2024-03-28T12:51:02.000Z'
 */
export function parseInstant(text: string): string | null {
  const [, date = '', hours, minutes, seconds, fraction = '', sign, offsetHours = 0, offsetMinutes = 0] =
    INSTANT.exec(text) ?? [];
  // Date.parse reads 30 February as 1 March.
  const day = parsePeriod(date);
  if (day === null) return null;
  const time = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const instant = day.instant + time + milliseconds + (sign === '-' ? offset : -offset);
  const iso = new Date(instant).toISOString();
  // An offset can lead out of the years with four digits.
  return iso.length === ISO_LENGTH ? iso : null;
}
