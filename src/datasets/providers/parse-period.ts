import { DAY_MS } from '../../calendar/index.ts';
import type { StatedFrequency } from './provider.ts';

/** A period as a provider writes it. */
export interface ParsedPeriod {
  readonly stated: StatedFrequency;
  /** The first instant of the period, in milliseconds since 1970. */
  readonly instant: number;
}

/** The names of frequencies that are not offered. */
export const HALF_YEARLY: StatedFrequency = { unsupported: 'half-yearly' };
export const TWO_MONTHLY: StatedFrequency = { unsupported: 'two-monthly' };
export const TWO_WEEKLY: StatedFrequency = { unsupported: 'two-weekly' };

const FORMS: readonly (readonly [RegExp, (year: number, part: number, day: number) => ParsedPeriod | null])[] = [
  [/^(\d{4})(?:-A1)?$/, (year) => ({ stated: { frequency: '1YE' }, instant: monthStart(year, 1) })],
  [/^(\d{4})-?[SH]([12])$/, (year, half) => ({ stated: HALF_YEARLY, instant: monthStart(year, 6 * half - 5) })],
  [
    /^(\d{4})-?Q([1-4])$/,
    (year, quarter) => ({ stated: { frequency: '1QE' }, instant: monthStart(year, 3 * quarter - 2) }),
  ],
  [/^(\d{4})-?B([1-6])$/, (year, pair) => ({ stated: TWO_MONTHLY, instant: monthStart(year, 2 * pair - 1) })],
  [
    /^(\d{4})(?:-M?|M)(0[1-9]|1[0-2])$/,
    (year, month) => ({ stated: { frequency: '1ME' }, instant: monthStart(year, month) }),
  ],
  [/^(\d{4})-?W(\d{2})$/, parseWeek],
  [/^(\d{4})-(\d{2})-(\d{2})$/, parseDay],
];

/**
 * Returns the period that a text names in the notation of SDMX, Eurostat, DBnomics or the World Bank; null if it names
 * none: 2024, 2024-S1, 2024-Q1, 2024Q1, 2024-B1, 2024-01, 2024M01, 2024-W05 or 2024-01-31.
 *
 * @example parsePeriod('2020-W53') // the week that starts on Monday, 2020-12-28
 */
export function parsePeriod(text: string): ParsedPeriod | null {
  for (const [form, read] of FORMS) {
    const [, year, part, day] = form.exec(text) ?? [];
    if (year !== undefined) return read(Number(year), Number(part), Number(day));
  }
  return null;
}

function monthStart(year: number, month: number): number {
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, 1);
}

/** Week 1 of a year is the one with 4 January. The last week of a year is 52 or 53. */
function parseWeek(year: number, week: number): ParsedPeriod | null {
  const instant = firstMonday(year) + (week - 1) * 7 * DAY_MS;
  const isInYear = week >= 1 && instant < firstMonday(year + 1);
  return isInYear ? { stated: { frequency: '1W-MON' }, instant } : null;
}

function firstMonday(year: number): number {
  const fourth = monthStart(year, 1) + 3 * DAY_MS;
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return fourth - weekday * DAY_MS;
}

function parseDay(year: number, month: number, day: number): ParsedPeriod | null {
  const instant = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(instant);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate ? { stated: { frequency: '1D' }, instant } : null;
}
