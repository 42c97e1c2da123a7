import type { Frequency } from '../../calendar/index.ts';
import type { FilterValue, WarehouseColumn, WarehouseQuery } from './engine.ts';
import { toRawBound } from './raw-times.ts';

/** A named parameter of a query, which is compared with a column and has its type. */
export interface QueryParameter {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  readonly column: WarehouseColumn;
  /**
   * Has the kind of the column. Times are milliseconds since 1970, which are whole days for dates. Decimal numbers can be
   * text, so that no digit is lost.
   */
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
  /** Returns the condition that a number is not NaN; null for columns without NaN. */
  notNaN(column: WarehouseColumn): string | null;
  /** Returns a number as a double. */
  toDouble(expression: string): string;
  /**
   * Returns the value, a double, of the row with the largest time; of several, the largest value. NULL values are
   * ignored.
   *
   * @param time the column with the times, as the table has them
   */
  lastValue(value: string, time: string): string;
}

/**
 * Builds the SQL of a query. Column names come from the schema of the table and are quoted; values are parameters. The
 * first column is named by its position after GROUP BY and ORDER BY, because the table can have a column `t` itself.
 * Bounds are compared with the column and not with an expression of it, so that engines can leave out partitions.
 *
 * @param table the table as the engine spells it after FROM
 */
export function buildQuery(query: WarehouseQuery, table: string, dialect: SqlDialect): BuiltQuery {
  const parameters: QueryParameter[] = [];
  const bind = (column: WarehouseColumn, value: FilterValue): string => {
    const parameter = { name: `p${parameters.length}`, column, value };
    parameters.push(parameter);
    return dialect.placeholder(parameter);
  };
  const { column, format } = query.time;
  const time = dialect.quote(column.name);
  // Rows without a value are left out, so that they neither count for the limit nor spoil an aggregate.
  const notNaN = dialect.notNaN(query.value);
  const conditions = [`${time} IS NOT NULL`, `${dialect.quote(query.value.name)} IS NOT NULL`];
  if (notNaN !== null) conditions.push(notNaN);
  if (query.from !== null) conditions.push(`${time} >= ${bind(column, toRawBound(column.kind, format, query.from))}`);
  if (query.to !== null) conditions.push(`${time} < ${bind(column, toRawBound(column.kind, format, query.to))}`);
  for (const filter of query.filters) {
    const values = filter.values.map((value) => bind(filter.column, value));
    conditions.push(`${dialect.quote(filter.column.name)} IN (${values.join(', ')})`);
  }
  const sql = [
    `SELECT ${timeExpression(query, dialect)} AS t, ${valueExpression(query, dialect)} AS v`,
    `FROM ${table}`,
    `WHERE ${conditions.join(' AND ')}`,
    ...(query.aggregate === null ? [] : ['GROUP BY 1']),
    `ORDER BY 1 DESC LIMIT ${query.maxRows}`,
  ].join(' ');
  return { sql, parameters };
}

function timeExpression({ time: { column, format }, aggregate }: WarehouseQuery, dialect: SqlDialect): string {
  if (aggregate !== null) return dialect.periodStart(dialect.microseconds(column, format), aggregate.frequency);
  // Integers that are not times can be reported only if they are returned unchanged.
  return format === null ? dialect.microseconds(column, null) : dialect.quote(column.name);
}

function valueExpression({ time, value, aggregate }: WarehouseQuery, dialect: SqlDialect): string {
  const name = dialect.quote(value.name);
  switch (aggregate?.function) {
    case undefined:
      return dialect.toDouble(name);
    case 'sum':
      return dialect.toDouble(`SUM(${name})`);
    case 'mean':
      return dialect.toDouble(`AVG(${name})`);
    case 'count':
      return dialect.toDouble(`COUNT(${name})`);
    case 'last':
      return dialect.lastValue(dialect.toDouble(name), dialect.quote(time.column.name));
  }
}
