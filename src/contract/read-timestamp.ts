export const YEAR_RULE = 'must be between the years 0001 and 9999';
export const TIMESTAMP_RULE =
  'must be a date, such as 2024-01-31 (00:00 UTC), or a date and time with an offset, such as 2024-01-31T00:00:00Z';

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns whether an instant is within the years that the database and responses accept. */
export function isWritable(time: number): boolean {
  return time >= FIRST_INSTANT && time <= LAST_INSTANT;
}

/**
 * Returns the instant of a timestamp, or of a date, which means 00:00 UTC of that day. For any other value, returns the
 * rule that the value breaks. A request can contain 50,000 of them, so the usual spellings are read digit by digit:
 * `Date.parse` and a regular expression would take most of the time of reading the request.
 *
 * @example readTimestamp('2024-01-31') // 1706659200000
 */
export function readTimestamp(value: unknown): number | string {
  if (typeof value !== 'string') return TIMESTAMP_RULE;
  const usual = readUsualForm(value);
  const time = Number.isNaN(usual) ? readWithOffset(value) : usual;
  if (Number.isNaN(time)) return TIMESTAMP_RULE;
  return isWritable(time) ? time : YEAR_RULE;
}

const WITH_OFFSET = /^(.{19})(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

/** Reads a timestamp with any offset and any number of decimals. Returns NaN for any other text. */
function readWithOffset(text: string): number {
  const [, local = '', hours = '0', minutes = '0'] = WITH_OFFSET.exec(text) ?? [];
  const isValid = Number(hours) < 24 && Number(minutes) < 60 && !Number.isNaN(readUsualForm(`${local}Z`));
  return isValid ? Date.parse(text) : Number.NaN;
}

const DASH = 0x2d;
const COLON = 0x3a;
const DAY_SECONDS = 86_400;

/** Reads 2024-01-31, 2024-01-31T09:30:00Z and 2024-01-31T09:30:00.000Z. Returns NaN for any other text. */
function readUsualForm(text: string): number {
  const { length } = text;
  if (length !== 10 && length !== 20 && length !== 24) return Number.NaN;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return Number.NaN;
  const day = daysSince1970(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  if (length === 10) return day * DAY_SECONDS * 1000;
  const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)];
  const hasMarks =
    text[10] === 'T' && text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON && text[length - 1] === 'Z';
  if (!hasMarks || !(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  const ms = length === 20 ? 0 : text[19] === '.' ? digits(text, 20, 3) : Number.NaN;
  return (day * DAY_SECONDS + hour * 3600 + minute * 60 + second) * 1000 + ms;
}

/** Returns the number in some digits of a text, or NaN if another character is among them. */
function digits(text: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the number of days from 1970-01-01 to a date of the Gregorian calendar, or NaN if there is no such date. */
function daysSince1970(year: number, month: number, day: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = (MONTH_DAYS[month - 1] ?? Number.NaN) + (month === 2 && isLeap ? 1 : 0);
  if (!(day >= 1 && day <= length)) return Number.NaN;
  // The year begins in March, so that the leap day is its last day.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}
