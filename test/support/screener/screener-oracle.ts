import type { ScreenerCondition } from '../../../src/contract/index.ts';
import type { FilterRules } from '../../../src/screener/evaluate/rules.ts';
import type { DailyMetricsTable } from '../../../src/screener/tables.ts';

/** Whether a symbol meets a filter, written down a second time and in another language. */
export function meets({ universe, combine, conditions }: FilterRules, row: DailyMetricsTable): boolean {
  if (universe === 'all' ? !row.shared : !universe.includes(row.symbol)) return false;
  const test = (condition: ScreenerCondition) => meetsCondition(condition, row);
  return combine === 'all' ? conditions.every(test) : conditions.some(test);
}

function meetsCondition(condition: ScreenerCondition, row: DailyMetricsTable): boolean {
  const now = row[condition.field];
  const before = row[`previous_${condition.field}`];
  if (now === null) return false;
  if (condition.op === 'between') return now >= condition.value[0] && now <= condition.value[1];
  const isValue = 'value' in condition;
  const bound = isValue ? condition.value : row[condition.other_field];
  const boundBefore = isValue ? condition.value : row[`previous_${condition.other_field}`];
  if (bound === null) return false;
  const hasBefore = before !== null && boundBefore !== null;
  switch (condition.op) {
    case 'gt':
      return now > bound;
    case 'gte':
      return now >= bound;
    case 'lt':
      return now < bound;
    case 'lte':
      return now <= bound;
    case 'eq':
      return now === bound;
    case 'crosses_above':
      return hasBefore && before <= boundBefore && now > bound;
    case 'crosses_below':
      return hasBefore && before >= boundBefore && now < bound;
  }
}
