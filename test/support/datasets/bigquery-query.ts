// The grammar of the queries that the loopback BigQuery executes: one SELECT of two columns of one public table, and
// nothing else. A text that is not exactly of this shape is refused.

import { type Condition, type Expression, QueryError, QueryParser, tokenize } from './bigquery-parser.ts';

export interface AllowedQuery {
  readonly dataset: string;
  readonly table: string;
  readonly time: Expression;
  readonly value: Expression;
  readonly conditions: readonly Condition[];
  readonly isGrouped: boolean;
  readonly limit: number;
  /** The columns that the query reads. */
  readonly columns: ReadonlySet<string>;
}

/**
 * Parses a query of the allowed shape. Throws a `QueryError` for anything else.
 *
 * @example parseAllowedQuery('SELECT 1') // throws
 */
export function parseAllowedQuery(sql: string): AllowedQuery {
  const parser = new QueryParser(tokenize(sql));
  parser.take('SELECT');
  const time = parser.sum();
  parser.take('AS', 't', ',');
  const value = parser.sum();
  parser.take('AS', 'v', 'FROM');
  if (parser.name() !== 'bigquery-public-data') throw new QueryError('another project');
  parser.take('.');
  const dataset = parser.name();
  parser.take('.');
  const table = parser.name();
  const conditions = parser.conditions();
  const isGrouped = parser.takes('GROUP');
  if (isGrouped) parser.take('BY', '1');
  parser.take('ORDER', 'BY', '1', 'DESC', 'LIMIT');
  const limit = parser.count();
  parser.end();
  const query = { dataset, table, time, value, conditions, isGrouped, limit };
  return { ...query, columns: checkColumns(query) };
}

/** Checks which columns are where, and returns their names. */
function checkColumns(query: Omit<AllowedQuery, 'columns'>): ReadonlySet<string> {
  const [first, second] = query.conditions;
  const times = columnsOf(query.time);
  const values = columnsOf(query.value);
  const [timeColumn, ...otherTimes] = times;
  if (timeColumn === undefined || otherTimes.length > 0) throw new QueryError('not one time');
  if (first?.operator !== 'IS NOT NULL' || first.column !== timeColumn) throw new QueryError('time can be NULL');
  if (values.size === 0 || values.size > (query.value.kind === 'last' ? 2 : 1)) throw new QueryError('not one value');
  if (hasAggregate(query.time) || hasAggregate(query.value) !== query.isGrouped) throw new QueryError('groups');
  const isValue = (column: string | undefined) => column !== undefined && values.has(column);
  if (second?.operator !== 'IS NOT NULL' || !isValue(second.column)) throw new QueryError('value can be NULL');
  const others = query.conditions.slice(2);
  const ranks = others.map(({ operator }) => ['NOT IS_NAN', '>=', '<', 'IN'].indexOf(operator));
  for (const [i, { column, operator }] of others.entries()) {
    const isRepeated = i > 0 && operator !== 'IN' && ranks[i] === ranks[i - 1];
    if (isRepeated || (ranks[i] ?? 0) < (ranks[i - 1] ?? 0)) throw new QueryError('order of conditions');
    if (operator === 'NOT IS_NAN' && !isValue(column)) throw new QueryError('NaN of another column');
    if ((operator === '>=' || operator === '<') && column !== timeColumn)
      throw new QueryError('bound of another column');
    if (operator === 'IS NOT NULL') throw new QueryError('another column can be NULL');
  }
  return new Set([...times, ...values, ...query.conditions.map(({ column }) => column)]);
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.values;
    case 'binary':
      return [expression.left, expression.right];
    case 'if':
      return [expression.tested, expression.min, expression.max, expression.then];
    case 'last':
      return [expression.value, expression.time];
    case 'cast':
    case 'truncate':
    case 'aggregate':
      return [expression.value];
    default:
      return [];
  }
}

function columnsOf(expression: Expression): Set<string> {
  if (expression.kind === 'column') return new Set([expression.name]);
  return new Set(childrenOf(expression).flatMap((child) => [...columnsOf(child)]));
}

function hasAggregate(expression: Expression): boolean {
  return ['aggregate', 'last'].includes(expression.kind) || childrenOf(expression).some(hasAggregate);
}
