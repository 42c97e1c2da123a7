import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SCREENER_FIELDS, type ScreenerCondition, type ScreenerField } from '../../contract/index.ts';
import type { PreviousField } from '../tables.ts';
import type { FilterRules, MatchedValues } from './rules.ts';

/** A filter as SQL over rows of numbers that the statement calls `m`. */
export interface CompiledFilter {
  readonly matches: RawBuilder<SqlBool>;
  readonly values: RawBuilder<MatchedValues>;
}

/** Numbers and symbols become parameters; names of columns come from the vocabulary, or the filter is refused. */
export function compileFilter({ universe, combine, conditions }: FilterRules): CompiledFilter {
  const tests = conditions.map(compileCondition);
  const passes = sql<SqlBool>`(${sql.join(tests, combine === 'all' ? sql` AND ` : sql` OR `)})`;
  const isInside = universe === 'all' ? sql`m.shared` : sql`m.symbol = ANY(${[...universe]}::text[])`;
  return {
    // The numbers first: they are cheaper to look at than a list of symbols.
    matches: sql`(${passes} AND ${isInside})`,
    values: valuesOf(conditions),
  };
}

function compileCondition(condition: ScreenerCondition): RawBuilder<SqlBool> {
  const now = column(condition.field);
  if (condition.op === 'between') {
    const [low, high] = condition.value;
    return sql`${now} BETWEEN ${number(low)} AND ${number(high)}`;
  }
  const bound = 'value' in condition ? number(condition.value) : column(condition.other_field);
  const plain = COMPARISONS[condition.op];
  if (plain !== undefined) return sql`${now} ${plain} ${bound}`;
  const before = column(previous(condition.field));
  const boundBefore = 'value' in condition ? bound : column(previous(condition.other_field));
  switch (condition.op) {
    case 'crosses_above':
      return sql`(${now} > ${bound} AND ${before} <= ${boundBefore})`;
    case 'crosses_below':
      return sql`(${now} < ${bound} AND ${before} >= ${boundBefore})`;
    default:
      // A later version of us may have written it: what it means nobody here knows.
      throw new Error(`${JSON.stringify(condition.op)} is no comparison of the screener.`);
  }
}

const COMPARISONS: Partial<Record<ScreenerCondition['op'], RawBuilder<unknown>>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  eq: sql`=`,
};

function valuesOf(conditions: readonly ScreenerCondition[]): RawBuilder<MatchedValues> {
  const pairs = namedColumns(conditions).map((name) => sql`${sql.lit(name)}, ${column(name)}`);
  return sql`json_build_object(${sql.join(pairs)})`;
}

/** The columns whose values a match shows, each once. */
export function namedColumns(conditions: readonly ScreenerCondition[]): (ScreenerField | PreviousField)[] {
  const names = conditions.flatMap((condition) => {
    const fields = 'other_field' in condition ? [condition.field, condition.other_field] : [condition.field];
    return condition.op.startsWith('crosses') ? [...fields, ...fields.map(previous)] : fields;
  });
  return [...new Set(names)];
}

function previous(field: ScreenerField): PreviousField {
  return `previous_${field}`;
}

const COLUMNS: ReadonlySet<string> = new Set([...SCREENER_FIELDS, ...SCREENER_FIELDS.map(previous)]);

/** The last check before a name becomes SQL, whatever the types say of where it comes from. */
function column(name: string): RawBuilder<number> {
  if (!COLUMNS.has(name)) throw new Error(`${JSON.stringify(name)} is not a field of the screener.`);
  return sql`m.${sql.id(name)}`;
}

function number(value: number): RawBuilder<number> {
  if (typeof value !== 'number') throw new Error(`${JSON.stringify(value)} is no number of a filter.`);
  return sql`${value}::float8`;
}
