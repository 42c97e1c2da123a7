import { EARLIEST_INSTANT, LATEST_INSTANT, periodEnd } from '../../../calendar/index.ts';

/** How times are written. `iso` is a date, or a date and a time of day. */
export const TIME_FORMATS = ['iso', 'month', 'quarter', 'year', 'day_first', 'month_first'] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

const CLOCK = '(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)? ?(Z|[+-]\\d{2}(?::?\\d{2})?)?)?';
const ISO = new RegExp(`^(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})${CLOCK}$`);
const DAY_AND_MONTH = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${CLOCK}$`);
const MONTH = /^(\d{4})(?:[-/]|-?M)(\d{1,2})$/;
const QUARTER = /^(\d{4})[- ]?Q([1-4])$/i;
const YEAR = /^\d{4}$/;

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * The instant that a cell names in a format, in milliseconds since 1970; null: none, or none of the years 1800 to 2200.
 * A time without an offset is UTC. A month is its first day, a quarter or a year its last: as the frequencies 1MS, 1QE
 * and 1YE have them.
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
    return match && instantOf(match[1], match[3], match[4], match.slice(5));
  },
  day_first(cell) {
    const match = DAY_AND_MONTH.exec(cell);
    return match && instantOf(match[4], match[3], match[1], match.slice(5));
  },
  month_first(cell) {
    const match = DAY_AND_MONTH.exec(cell);
    return match && instantOf(match[4], match[1], match[3], match.slice(5));
  },
  month(cell) {
    const match = MONTH.exec(cell);
    return match && dayOf(Number(match[1]), Number(match[2]), 1);
  },
  quarter(cell) {
    const match = QUARTER.exec(cell);
    if (match === null) return null;
    const lastMonth = dayOf(Number(match[1]), 3 * Number(match[2]), 1);
    return lastMonth && periodEnd('1MS', lastMonth) - DAY;
  },
  year: (cell) => (YEAR.test(cell) ? dayOf(Number(cell), 12, 31) : null),
};

/** Midnight UTC of a day; null where there is no such day, 30 February included. */
function dayOf(year: number, month: number, day: number): number | null {
  // The years 0 to 99 would be taken for those of the last century.
  if (year < 1800 || year > 2200 || month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return null;
  return Date.UTC(year, month - 1, day);
}

function lastDay(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function instantOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z']: readonly (string | undefined)[],
): number | null {
  const midnight = dayOf(Number(year), Number(month), Number(day));
  const east = offsetOf(offset);
  if (midnight === null || east === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return midnight + (Number(hour) * 60 + Number(minute) - east) * MINUTE + Number(second) * 1_000 + milliseconds;
}

/** Minutes east of Greenwich. */
function offsetOf(offset: string): number | null {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))];
  if (hours > 14 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
