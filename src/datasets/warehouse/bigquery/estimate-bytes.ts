import type { WarehouseQuery } from '../engine.ts';
import type { BigqueryTable } from './bigquery-table.ts';

/** The bytes of a value, as BigQuery counts them for queries and tables. Those of a text depend on its length. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ['INT64', 8],
  ['FLOAT64', 8],
  ['NUMERIC', 16],
  ['BIGNUMERIC', 32],
  ['BOOL', 1],
  ['DATE', 8],
  ['DATETIME', 8],
  ['TIMESTAMP', 8],
]);

/**
 * Returns the bytes that a query reads at most, without the partitions that it leaves out. Null if the metadata do not
 * state the size of the table.
 */
export function estimateBytes({ columns, rows, bytes }: BigqueryTable, query: WarehouseQuery): number | null {
  if (rows === null || bytes === null) return null;
  const needed = new Set([query.time.column, query.value, ...query.filters.map(({ column }) => column)].map(nameOf));
  let [fixed, others, hasText] = [0, 0, false];
  for (const { name, type, kind, isRequired } of columns) {
    const width = kind === 'other' ? undefined : WIDTHS.get(type);
    if (!needed.has(name)) {
      // Only a column that has a value in every row certainly takes bytes that the texts do not take.
      if (isRequired && width !== undefined) others += width * rows;
    } else if (width === undefined) {
      hasText = true;
    } else {
      fixed += width * rows;
    }
  }
  return Math.max(0, hasText ? bytes - others : Math.min(bytes, fixed));
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
