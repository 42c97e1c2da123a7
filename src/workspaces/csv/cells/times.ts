import { DAY_MS, EARLIEST_INSTANT, LATEST_INSTANT, MINUTE_MS } from '../../../calendar/index.ts';

/** The formats of times. `iso` is a date, or a date and a time of day. */
export const TIME_FORMATS = [
  'iso',
  'basic',
  'week',
  'month',
  'quarter',
  'year',
  'day_first',
  'month_first',
  'month_name',
] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A pattern for the English name of a month, short or full. */
export const MONTH_NAME_PATTERN =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

/**
 * A pattern for an optional time of day after a date, with or without an offset, such as 9:30, 16:00:00.5Z or 4:05 PM.
 */
const TIME_OF_DAY_PATTERN =
  '(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?: ?([AaPp])\\.?[Mm]\\.?)? ?(Z|[+-]\\d{2}(?::?\\d{2})?)?)?';

const ISO = new RegExp(`^(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})${TIME_OF_DAY_PATTERN}$`);
const BASIC = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_AND_MONTH = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${TIME_OF_DAY_PATTERN}$`);
const NAMED_DAY = new RegExp(`^(\\d{1,2})([- ])${MONTH_NAME_PATTERN}\\2(\\d{4})${TIME_OF_DAY_PATTERN}$`, 'i');
const NAMED_MONTH_AND_DAY = new RegExp(`^${MONTH_NAME_PATTERN} (\\d{1,2}),? (\\d{4})${TIME_OF_DAY_PATTERN}$`, 'i');
const MONTH = /^(\d{4})(?:[-/]|-?M)(\d{1,2})$/;
const NAMED_MONTH = new RegExp(`^${MONTH_NAME_PATTERN}[- ](\\d{4})$`, 'i');
const QUARTER = /^(\d{4})[- ]?Q([1-4])$/i;
const QUARTER_FIRST = /^Q([1-4])[- /]?(\d{4})$/i;
const WEEK = /^(\d{4})-?W(\d{2})$/i;
const YEAR = /^\d{4}$/;
const OFFSET_AT_END = /:\d{2}.*?([+-]\d{2}(?::?\d{2})?)$/;

/**
 * Returns the instant in a cell in milliseconds since 1970, or null if the cell is not a time of the years 1800 to 2200
 * in this format. A time without an offset is in UTC. For a week the instant is its Monday, for a month its first day,
 * and for a quarter or a year its last day, as in the frequencies 1W-MON, 1MS, 1QE and 1YE.
 *
 * @param cell the text of a cell without surrounding white space
 * @example parseTimeIn('2024Q1', 'quarter') // 2024-03-31
 */
export function parseTimeIn(cell: string, format: TimeFormat): number | null {
  const instant = PARSERS[format](cell);
  return instant !== null && instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT ? instant : null;
}

const PARSERS: Record<TimeFormat, (cell: string) => number | null> = {
  iso(cell) {
    const plain = plainInstant(cell);
    if (plain !== undefined) return plain;
    const match = ISO.exec(cell);
    return match && instantOf(Number(match[1]), Number(match[3]), Number(match[4]), match.slice(5));
  },
  basic(cell) {
    const match = BASIC.exec(cell);
    return match && midnightOf(Number(match[1]), Number(match[2]), Number(match[3]));
  },
  day_first(cell) {
    const match = DAY_AND_MONTH.exec(cell);
    return match && instantOf(Number(match[4]), Number(match[3]), Number(match[1]), match.slice(5));
  },
  month_first(cell) {
    const match = DAY_AND_MONTH.exec(cell);
    return match && instantOf(Number(match[4]), Number(match[1]), Number(match[3]), match.slice(5));
  },
  month_name(cell) {
    const day = NAMED_DAY.exec(cell);
    if (day) return instantOf(Number(day[4]), monthNumber(day[3]), Number(day[1]), day.slice(5));
    const month = NAMED_MONTH_AND_DAY.exec(cell);
    return month && instantOf(Number(month[3]), monthNumber(month[1]), Number(month[2]), month.slice(4));
  },
  month(cell) {
    const match = MONTH.exec(cell);
    if (match) return midnightOf(Number(match[1]), Number(match[2]), 1);
    const named = NAMED_MONTH.exec(cell);
    return named && midnightOf(Number(named[2]), monthNumber(named[1]), 1);
  },
  quarter(cell) {
    const match = QUARTER.exec(cell);
    if (match) return lastDayOfMonth(Number(match[1]), 3 * Number(match[2]));
    const reversed = QUARTER_FIRST.exec(cell);
    return reversed && lastDayOfMonth(Number(reversed[2]), 3 * Number(reversed[1]));
  },
  week(cell) {
    const match = WEEK.exec(cell);
    return match && mondayOfWeek(Number(match[1]), Number(match[2]));
  },
  year: (cell) => (YEAR.test(cell) ? midnightOf(Number(cell), 12, 31) : null),
};

/**
 * Returns the instant of a cell such as 2024-01-31, 2024-01-31T09:30 or 2024-01-31 09:30:00Z, null if there is no such
 * day or time, and undefined if the cell has another form. Nearly all cells have this form, and the pattern takes
 * several times as long.
 */
function plainInstant(cell: string): number | null | undefined {
  const { length } = cell;
  if (length !== 10 && length !== 16 && length !== 19 && length !== 20) return undefined;
  if (cell[4] !== '-' || cell[7] !== '-') return undefined;
  const [year, month, day] = [digitsAt(cell, 0, 4), digitsAt(cell, 5, 7), digitsAt(cell, 8, 10)];
  if (Number.isNaN(year + month + day)) return undefined;
  const midnight = midnightOf(year, month, day);
  if (length === 10) return midnight;
  if ((cell[10] !== 'T' && cell[10] !== ' ') || cell[13] !== ':') return undefined;
  if ((length > 16 && cell[16] !== ':') || (length === 20 && cell[19] !== 'Z')) return undefined;
  const [hour, minute] = [digitsAt(cell, 11, 13), digitsAt(cell, 14, 16)];
  const second = length > 16 ? digitsAt(cell, 17, 19) : 0;
  if (Number.isNaN(hour + minute + second)) return undefined;
  if (midnight === null || hour > 23 || minute > 59 || second > 59) return null;
  return midnight + (hour * 60 + minute) * MINUTE_MS + second * 1_000;
}

/** Returns the number that the characters from `start` to `end` make, or NaN if one of them is not a digit. */
function digitsAt(cell: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = cell.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}

function instantOf(year: number, month: number, day: number, clock: readonly (string | undefined)[]): number | null {
  const [midnight, sinceMidnight] = [midnightOf(year, month, day), timeOfDay(clock)];
  return midnight === null || sinceMidnight === null ? null : midnight + sinceMidnight;
}

/** Returns midnight UTC of a day, or null for a day that does not exist or is outside the years 1800 to 2200. */
function midnightOf(year: number, month: number, day: number): number | null {
  // `Date.UTC` would treat the years 0 to 99 as 1900 to 1999.
  if (year < 1800 || year > 2200 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return Date.UTC(year, month - 1, day);
}

/** Returns midnight UTC of the last day of a month, or null for a month that does not exist. */
function lastDayOfMonth(year: number, month: number): number | null {
  return month < 1 || month > 12 ? null : midnightOf(year, month, daysInMonth(year, month));
}

/** Returns the Monday of an ISO 8601 week (week 1 contains January 4), or null if the year has no such week. */
function mondayOfWeek(year: number, week: number): number | null {
  const fourth = midnightOf(year, 1, 4);
  if (fourth === null || week < 1) return null;
  const daysSinceMonday = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((week - 1) * 7 - daysSinceMonday) * DAY_MS;
  // A week belongs to the year of its Thursday.
  return new Date(monday + 3 * DAY_MS).getUTCFullYear() === year ? monday : null;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the number of a month, from 1 to 12, from its English name. */
function monthNumber(name: string | undefined): number {
  return 1 + MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());
}

/**
 * Returns the milliseconds from midnight UTC to a time of day, or null for a time that does not exist.
 *
 * @param parts the capture groups of `TIME_OF_DAY_PATTERN`
 */
function timeOfDay([hour = '0', minute = '0', second = '0', fraction = '', half, offset]: readonly (
  | string
  | undefined
)[]): number | null {
  const hours = half === undefined ? Number(hour) : to24Hours(Number(hour), half);
  const east = parseOffset(offset);
  if (hours === null || hours > 23 || Number(minute) > 59 || Number(second) > 59 || east === null) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return (hours * 60 + Number(minute) - east) * MINUTE_MS + Number(second) * 1_000 + milliseconds;
}

/** Converts the hour of a 12-hour clock, on which each half of the day begins with 12, to 24 hours. */
function to24Hours(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Returns an offset in minutes east of Greenwich, or null if it is out of range. */
function parseOffset(offset = 'Z'): number | null {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))];
  if (hours > 14 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Returns the minutes by which the local clock of a time is ahead of UTC, or 0 if the cell has no offset.
 *
 * @param cell a cell with a valid time
 * @example readClockOffset('2024-01-01T00:00+05:30') // 330
 */
export function readClockOffset(cell: string): number {
  // Most cells are dates without a time of day, so this check saves time.
  if (!cell.includes(':')) return 0;
  return parseOffset(OFFSET_AT_END.exec(cell)?.[1]) ?? 0;
}
