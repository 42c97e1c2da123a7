import { periodStart, periodTimestamp, type ReportingFrequency } from '../../calendar/index.ts';
import { parseDate } from '../../platform/index.ts';

/** The timestamp of a period that a file names by its first day, written YYYY-MM-DD; any other day is refused. */
export function periodNamedByFirstDay(frequency: ReportingFrequency, cell: string, where: string): number {
  const day = parseDate(cell, where);
  if (periodStart(frequency, day) !== day) throw new Error(`${where}: ${cell} is not the first day of its period.`);
  return periodTimestamp(frequency, day);
}

/** The last day of a month; months count from 1. */
export function monthEnd(year: number, month: number, where: string): number {
  if (!Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12) {
    throw new Error(`${where}: year ${year} and month ${month} are not a month.`);
  }
  return periodTimestamp('1ME', Date.UTC(year, month - 1, 1));
}

/** The last day of a year. */
export function yearEnd(year: number, where: string): number {
  if (!Number.isInteger(year)) throw new Error(`${where}: ${year} is not a year.`);
  return periodTimestamp('1YE', Date.UTC(year, 0, 1));
}
