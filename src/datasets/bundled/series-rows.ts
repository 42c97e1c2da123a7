import { periodStart, periodTimestamp, type ReportingFrequency } from '../../calendar/index.ts';
import { parseDate } from '../../platform/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';
import { NO_DIMENSION, type TablesByMember, type ValueColumn } from './bundled-series.ts';

/** A row of a file, with one number per value column; NaN for a missing value. */
export interface SeriesRow {
  /** Package, file and line, for messages. */
  readonly where: string;
  readonly timestamp: number;
  readonly values: readonly number[];
}

/** A row of a file that contains several members of a dimension. */
interface MemberRow extends SeriesRow {
  readonly member: string;
}

type Shape = { readonly frequency: ReportingFrequency; readonly values: readonly ValueColumn[] };

/** Checks rows and converts them to a table. Throws an error that names the line of the first invalid row. */
export function buildTable(shape: Shape, rows: readonly SeriesRow[]): SeriesTable {
  checkRows(shape, rows);
  return {
    timestamps: Float64Array.from(rows, ({ timestamp }) => timestamp),
    columns: Object.fromEntries(
      shape.values.map(({ field }, index) => [
        field,
        Float64Array.from(rows, ({ values }) => values[index] ?? Number.NaN),
      ]),
    ),
  };
}

/** Returns the table of a series without a dimension. */
export function singleTable(shape: Shape, rows: readonly SeriesRow[]): TablesByMember {
  return new Map([[NO_DIMENSION, buildTable(shape, rows)]]);
}

/**
 * Returns the tables of the members of a dimension. All members must have the same periods, because one description
 * covers them all.
 */
export function buildTablesByMember(shape: Shape, rows: readonly MemberRow[]): TablesByMember {
  const groups = [...Map.groupBy(rows, ({ member }) => member)];
  const tables = groups.map(([member, ownRows]) => [member, buildTable(shape, ownRows)] as const);
  const spans = tables.map(([, { timestamps: at }]) => `${at.length} rows from ${at[0]} to ${at.at(-1)}`);
  const [where] = rows.map((row) => row.where);
  if (new Set(spans).size !== 1) throw new Error(`${where}: the members do not have the same periods.`);
  return new Map(tables);
}

function checkRows({ frequency, values: columns }: Shape, rows: readonly SeriesRow[]): void {
  let previous = Number.NEGATIVE_INFINITY;
  for (const { where, timestamp, values } of rows) {
    const rowError = (reason: string) => new Error(`${where}: ${reason}.`);
    if (periodTimestamp(frequency, timestamp) !== timestamp) {
      throw rowError(`the date is not the timestamp of a ${frequency} period`);
    }
    if (timestamp === previous) throw rowError('the period repeats that of the row before');
    if (timestamp < previous) throw rowError('the period is earlier than that of the row before');
    if (values.length !== columns.length) throw rowError(`there are ${values.length} values, not ${columns.length}`);
    for (const [index, { field, mayBeMissing }] of columns.entries()) {
      const value = values[index] ?? Number.NaN;
      const isValid = Number.isFinite(value) || (mayBeMissing === true && Number.isNaN(value));
      if (!isValid) throw rowError(`${field} is not a finite number`);
    }
    previous = timestamp;
  }
  if (rows.length === 0) throw new Error('A bundled series has no rows.');
}

/**
 * Returns the timestamp of a period, given its first day as YYYY-MM-DD. Throws if the day is not the first of a period.
 */
export function timestampFromFirstDay(frequency: ReportingFrequency, cell: string, where: string): number {
  const day = parseDate(cell, where);
  if (periodStart(frequency, day) !== day) throw new Error(`${where}: ${cell} is not the first day of its period.`);
  return periodTimestamp(frequency, day);
}

/** Returns the timestamp of the last day of a month. Months count from 1. */
export function monthEndTimestamp(year: number, month: number, where: string): number {
  if (!Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12) {
    throw new Error(`${where}: year ${year} and month ${month} are not a month.`);
  }
  return periodTimestamp('1ME', Date.UTC(year, month - 1, 1));
}

/** Returns the timestamp of the last day of a year. */
export function yearEndTimestamp(year: number, where: string): number {
  if (!Number.isInteger(year)) throw new Error(`${where}: ${year} is not a year.`);
  return periodTimestamp('1YE', Date.UTC(year, 0, 1));
}
