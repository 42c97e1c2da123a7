import { EARLIEST_INSTANT, LATEST_INSTANT } from '../../../calendar/index.ts';
import { CLOCK, timeOfDay } from './clock.ts';
import { dayOf, mondayOf, monthEnd } from './days.ts';
import { MONTH_NAME, monthNamed } from './month-names.ts';

/** How times are written. `iso` is a date, or a date and a time of day. */
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

const ISO = new RegExp(`^(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})${CLOCK}$`);
const BASIC = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_AND_MONTH = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${CLOCK}$`);
const NAMED_DAY = new RegExp(`^(\\d{1,2})([- ])${MONTH_NAME}\\2(\\d{4})${CLOCK}$`, 'i');
const NAMED_MONTH_AND_DAY = new RegExp(`^${MONTH_NAME} (\\d{1,2}),? (\\d{4})${CLOCK}$`, 'i');
const MONTH = /^(\d{4})(?:[-/]|-?M)(\d{1,2})$/;
const NAMED_MONTH = new RegExp(`^${MONTH_NAME}[- ](\\d{4})$`, 'i');
const QUARTER = /^(\d{4})[- ]?Q([1-4])$/i;
const QUARTER_FIRST = /^Q([1-4])[- /]?(\d{4})$/i;
const WEEK = /^(\d{4})-?W(\d{2})$/i;
const YEAR = /^\d{4}$/;

/**
 * The instant that a cell names in a format, in milliseconds since 1970; null: none, or none of the years 1800 to 2200.
 * A time without an offset is UTC. A week is its Monday, a month its first day, a quarter or a year its last: as the
 * frequencies 1W-MON, 1MS, 1QE and 1YE have them.
 *
 * @param cell without the white space around it
 * @example parseTimeIn('2024Q1', 'quarter') // 2024-03-31
 */
export function parseTimeIn(cell: string, format: TimeFormat): number | null {
  const instant = PARSERS[format](cell);
  return instant !== null && instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT ? instant : null;
}

const PARSERS: Record<TimeFormat, (cell: string) => number | null> = {
  iso(cell) {
    const match = ISO.exec(cell);
    return match && instantOf(Number(match[1]), Number(match[3]), Number(match[4]), match.slice(5));
  },
  basic(cell) {
    const match = BASIC.exec(cell);
    return match && dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
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
    if (day) return instantOf(Number(day[4]), monthNamed(day[3]), Number(day[1]), day.slice(5));
    const month = NAMED_MONTH_AND_DAY.exec(cell);
    return month && instantOf(Number(month[3]), monthNamed(month[1]), Number(month[2]), month.slice(4));
  },
  month(cell) {
    const match = MONTH.exec(cell);
    if (match) return dayOf(Number(match[1]), Number(match[2]), 1);
    const named = NAMED_MONTH.exec(cell);
    return named && dayOf(Number(named[2]), monthNamed(named[1]), 1);
  },
  quarter(cell) {
    const match = QUARTER.exec(cell);
    if (match) return monthEnd(Number(match[1]), 3 * Number(match[2]));
    const other = QUARTER_FIRST.exec(cell);
    return other && monthEnd(Number(other[2]), 3 * Number(other[1]));
  },
  week(cell) {
    const match = WEEK.exec(cell);
    return match && mondayOf(Number(match[1]), Number(match[2]));
  },
  year: (cell) => (YEAR.test(cell) ? dayOf(Number(cell), 12, 31) : null),
};

function instantOf(year: number, month: number, day: number, clock: readonly (string | undefined)[]): number | null {
  const [midnight, sinceMidnight] = [dayOf(year, month, day), timeOfDay(clock)];
  return midnight === null || sinceMidnight === null ? null : midnight + sinceMidnight;
}
