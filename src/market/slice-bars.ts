import { BAR_COLUMNS, type BarTable } from './bars.ts';

/** Rows `from` to `to` (exclusive) of a table, copied. */
export function sliceBars({ timestamps, columns }: BarTable, from: number, to?: number): BarTable {
  return {
    timestamps: timestamps.slice(from, to),
    columns: Object.fromEntries(
      BAR_COLUMNS.map((name) => [name, columns[name].slice(from, to)]),
    ) as unknown as BarTable['columns'],
  };
}
