import type { ScreenerCondition } from '../../../src/contract/index.ts';
import type { FilterRules } from '../../../src/screener/evaluate/filter-rules.ts';
import type { DailyMetricsTable } from '../../../src/screener/tables.ts';

/** Returns whether a symbol matches a filter: an independent implementation of the compiled SQL. */
export function matchesFilter({ universe, combine, conditions }: FilterRules, row: DailyMetricsTable): boolean {
  if (universe === 'all' ? !row.shared : !universe.includes(row.symbol)) return false;
  const test = (condition: ScreenerCondition) => meetsCondition(condition, row);
  return combine === 'all' ? conditions.every(test) : conditions.some(test);
}

function meetsCondition(condition: ScreenerCondition, row: DailyMetricsTable): boolean {
  const current = row[condition.field];
  const previous = row[`previous_${condition.field}`];
  if (current === null) return false;
  if (condition.op === 'between') return current >= condition.value[0] && current <= condition.value[1];
  const isValue = 'value' in condition;
  const bound = isValue ? condition.value : row[condition.other_field];
  const previousBound = isValue ? condition.value : row[`previous_${condition.other_field}`];
  if (bound === null) return false;
  const hasPrevious = previous !== null && previousBound !== null;
  switch (condition.op) {
    case 'gt':
      return current > bound;
    case 'gte':
      return current >= bound;
    case 'lt':
      return current < bound;
    case 'lte':
      return current <= bound;
    case 'eq':
      return current === bound;
    case 'crosses_above':
      return hasPrevious && previous <= previousBound && current > bound;
    case 'crosses_below':
      return hasPrevious && previous >= previousBound && current < bound;
  }
}
