import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ScreenerCondition, ScreenerField } from '../../contract/index.ts';
import { METRIC_COLUMNS, type PreviousField, previousField } from '../tables.ts';
import type { FilterRules, MatchedValues, SavedFilterRules } from './filter-rules.ts';
import type { MetricsSource } from './metrics-source.ts';

/** A filter as SQL over rows of metrics with the alias `m`. */
interface CompiledFilter {
  readonly matches: RawBuilder<SqlBool>;
  readonly values: RawBuilder<MatchedValues>;
}

/** Compiles a filter. Numbers and symbols become parameters. Throws for an unknown column name. */
export function compileFilter({ universe, combine, conditions }: FilterRules): CompiledFilter {
  const tests = conditions.map(compileCondition);
  const meetsConditions = sql<SqlBool>`(${sql.join(tests, combine === 'all' ? sql` AND ` : sql` OR `)})`;
  const isInUniverse = universe === 'all' ? sql`m.shared` : sql`m.symbol = ANY(${[...universe]}::text[])`;
  return {
    // Conditions on numbers come first, because they are cheaper than a search in a list of symbols.
    matches: sql`(${meetsConditions} AND ${isInUniverse})`,
    values: selectValues(conditions),
  };
}

function compileCondition(condition: ScreenerCondition): RawBuilder<SqlBool> {
  const current = columnSql(condition.field);
  if (condition.op === 'between') {
    const [low, high] = condition.value;
    return sql`${current} BETWEEN ${numberSql(low)} AND ${numberSql(high)}`;
  }
  const bound = 'value' in condition ? numberSql(condition.value) : columnSql(condition.other_field);
  const comparison = COMPARISONS[condition.op];
  if (comparison !== undefined) return sql`${current} ${comparison} ${bound}`;
  const previous = columnSql(previousField(condition.field));
  const previousBound = 'value' in condition ? bound : columnSql(previousField(condition.other_field));
  switch (condition.op) {
    case 'crosses_above':
      return sql`(${current} > ${bound} AND ${previous} <= ${previousBound})`;
    case 'crosses_below':
      return sql`(${current} < ${bound} AND ${previous} >= ${previousBound})`;
    default:
      // The filter may have been stored by a later version.
      throw new Error(`${JSON.stringify(condition.op)} is not an operator of the screener.`);
  }
}

const COMPARISONS: Partial<Record<ScreenerCondition['op'], RawBuilder<unknown>>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  eq: sql`=`,
};

function selectValues(conditions: readonly ScreenerCondition[]): RawBuilder<MatchedValues> {
  const pairs = listShownColumns(conditions).map((name) => sql`${sql.lit(name)}, ${columnSql(name)}`);
  return sql`json_build_object(${sql.join(pairs)})`;
}

/** Returns the columns whose values a match shows, each once. */
export function listShownColumns(conditions: readonly ScreenerCondition[]): (ScreenerField | PreviousField)[] {
  const names = conditions.flatMap((condition) => {
    const fields = 'other_field' in condition ? [condition.field, condition.other_field] : [condition.field];
    return condition.op.startsWith('crosses') ? [...fields, ...fields.map(previousField)] : fields;
  });
  return [...new Set(names)];
}

const COLUMNS: ReadonlySet<string> = new Set(METRIC_COLUMNS);

/** Checks a column name before it becomes part of SQL, because a stored filter may not conform to its type. */
function columnSql(name: string): RawBuilder<number> {
  if (!COLUMNS.has(name)) throw new Error(`${JSON.stringify(name)} is not a field of the screener.`);
  return sql`m.${sql.id(name)}`;
}

function numberSql(value: number): RawBuilder<number> {
  if (typeof value !== 'number') throw new Error(`${JSON.stringify(value)} is not a number.`);
  return sql`${value}::float8`;
}

/**
 * The number of filters that share one pass over the rows. With more filters, planning the statement takes longer than
 * the shared pass saves.
 */
export const FILTERS_PER_PASS = 200;

/**
 * Selects `(filter_id, symbols, shown)` for each filter; `symbols` is null if nothing matches. One pass over the rows
 * serves all filters, because separate passes would spend most of their time fetching the same rows again.
 */
export function selectMatchedSymbols(
  metrics: MetricsSource,
  filters: readonly SavedFilterRules[],
): RawBuilder<unknown> {
  const lists = filters.map(
    (filter, i) => sql`array_agg(m.symbol) FILTER (WHERE ${compileFilter(filter).matches}) AS ${sql.id(`list_${i}`)}`,
  );
  const rows = filters.map(
    ({ id, conditions }, i) =>
      sql`(${id}::text, found.${sql.id(`list_${i}`)}, ${listShownColumns(conditions)}::text[])`,
  );
  return sql`(
    SELECT result.filter_id, result.symbols, result.shown
    FROM (SELECT ${sql.join(lists)} FROM (SELECT * FROM ${metrics} AS any_order ORDER BY symbol COLLATE "C") AS m) AS found
    CROSS JOIN LATERAL (VALUES ${sql.join(rows)}) AS result(filter_id, symbols, shown)
  )`;
}
