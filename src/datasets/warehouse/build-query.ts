import type { Frequency } from '../../calendar/index.ts';
import type { FilterValue, WarehouseColumn, WarehouseQuery } from './engine.ts';

/** A named parameter of a query, which is compared with a column and has its type. */
export interface QueryParameter {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  readonly column: WarehouseColumn;
  /** Has the kind of the column. Times are milliseconds since 1970. */
  readonly value: FilterValue;
}

/** A query that selects the columns `t`, an integer, and `v`, a double, the latest rows first. */
export interface BuiltQuery {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
}

/** How an engine spells the parts of a query. Arguments that are expressions are SQL that the builder made. */
export interface SqlDialect {
  quote(identifier: string): string;
  /** Returns the placeholder of a parameter, with the type of its column. */
  placeholder(parameter: QueryParameter): string;
  /** Returns the microseconds since 1970 of a column with times, or of integers in a time format; NULL for others. */
  microseconds(column: WarehouseColumn, format: WarehouseQuery['time']['format']): string;
  /** Returns the first microsecond of the UTC period that contains a number of microseconds. */
  periodStart(microseconds: string, frequency: Frequency): string;
  /** Returns a number as a double. */
  toDouble(expression: string): string;
  /** Returns the value of the row with the largest time; of several, the largest value. NULL values are ignored. */
  lastValue(value: string, time: string): string;
}

/**
 * Builds the SQL of a query. Column names come from the schema of the table and are quoted; values are parameters.
 *
 * @param table the table as the engine spells it after FROM
 */
export function buildQuery(_query: WarehouseQuery, _table: string, _dialect: SqlDialect): BuiltQuery {
  throw new Error('Not built yet.');
}
