import { periodTimestamp, type ReportingFrequency } from '../../calendar/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';
import { type TablesByMember, UNDIVIDED, type ValueColumn } from './bundled-series.ts';

/** A row of a file: one number per value column, NaN where the file has none. */
export interface SeriesRow {
  /** Package, file and line, as messages name them. */
  readonly where: string;
  readonly timestamp: number;
  readonly values: readonly number[];
}

/** A row of a file that holds several members of a dimension. */
export interface MemberRow extends SeriesRow {
  readonly member: string;
}

type Shape = { readonly frequency: ReportingFrequency; readonly values: readonly ValueColumn[] };

/** Rows as a table, each checked; the first that is wrong is an error that names its line. */
export function tableOf(shape: Shape, rows: readonly SeriesRow[]): SeriesTable {
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

/** The tables of a series without dimensions. */
export function undivided(shape: Shape, rows: readonly SeriesRow[]): TablesByMember {
  return new Map([[UNDIVIDED, tableOf(shape, rows)]]);
}

/** The tables of the members of a dimension, which must span the same periods: one description speaks for all. */
export function tablesByMember(shape: Shape, rows: readonly MemberRow[]): TablesByMember {
  const groups = [...Map.groupBy(rows, ({ member }) => member)];
  const tables = groups.map(([member, ownRows]) => [member, tableOf(shape, ownRows)] as const);
  const spans = tables.map(([, { timestamps: at }]) => `${at.length} rows from ${at[0]} to ${at.at(-1)}`);
  const [where] = rows.map((row) => row.where);
  if (new Set(spans).size !== 1) throw new Error(`${where}: the members do not have the same periods.`);
  return new Map(tables);
}

function checkRows({ frequency, values: columns }: Shape, rows: readonly SeriesRow[]): void {
  let before = Number.NEGATIVE_INFINITY;
  for (const { where, timestamp, values } of rows) {
    const refuse = (why: string) => new Error(`${where}: ${why}.`);
    if (periodTimestamp(frequency, timestamp) !== timestamp) throw refuse(`the date does not stand for a ${frequency}`);
    if (timestamp === before) throw refuse('the period of the row before is repeated');
    if (timestamp < before) throw refuse('the period is earlier than that of the row before');
    if (values.length !== columns.length) throw refuse(`there are ${values.length} values, not ${columns.length}`);
    for (const [index, { field, mayBeMissing }] of columns.entries()) {
      const value = values[index] ?? Number.NaN;
      const isFine = Number.isFinite(value) || (mayBeMissing === true && Number.isNaN(value));
      if (!isFine) throw refuse(`${field} is not a finite number`);
    }
    before = timestamp;
  }
  if (rows.length === 0) throw new Error('A bundled series has no rows.');
}
