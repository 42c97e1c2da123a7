import { SCREENER_FIELDS, type ScreenerCondition } from '../../src/contract/index.ts';
import type { SavedFilterRules } from '../../src/screener/evaluate/filter-rules.ts';
import type { DailyMetricsTable } from '../../src/screener/tables.ts';

type Columns = Readonly<Record<string, Float64Array>>;

/**
 * Evaluates the filters with loops over numbers in memory, condition by condition, without storing results. This is a
 * lower bound on the cost of the evaluation.
 *
 * @returns the number of matches by filter
 */
export function countByLoop(rows: readonly DailyMetricsTable[], filters: readonly SavedFilterRules[]) {
  const columns: Columns = Object.fromEntries(
    SCREENER_FIELDS.flatMap((field) => [field, `previous_${field}` as const]).map((name) => [
      name,
      Float64Array.from(rows, (row) => row[name] ?? Number.NaN),
    ]),
  );
  const places = new Map(rows.map(({ symbol }, i) => [symbol, i]));
  const passed = new Uint8Array(rows.length);
  const startedAt = performance.now();
  const counts = filters.map(({ universe, combine, conditions }) => {
    passed.fill(0);
    for (const condition of conditions) countPassed(columns, condition, passed);
    const least = combine === 'all' ? conditions.length : 1;
    let count = 0;
    if (universe === 'all') for (let i = 0; i < passed.length; i++) count += Number((passed[i] as number) >= least);
    else for (const symbol of universe) count += Number((passed[places.get(symbol) ?? -1] ?? 0) >= least);
    return count;
  });
  return { counts, ms: performance.now() - startedAt };
}

/** Adds one for each symbol that meets the condition. A missing number is NaN, which meets no condition. */
function countPassed(columns: Columns, condition: ScreenerCondition, passed: Uint8Array): void {
  const at = (name: string) => columns[name] as Float64Array;
  const now = at(condition.field);
  const add = (test: (i: number) => boolean): void => {
    for (let i = 0; i < passed.length; i++) if (test(i)) passed[i] = (passed[i] as number) + 1;
  };
  if (condition.op === 'between') {
    const [low, high] = condition.value;
    for (let i = 0; i < passed.length; i++) {
      if ((now[i] as number) >= low && (now[i] as number) <= high) passed[i] = (passed[i] as number) + 1;
    }
    return;
  }
  if (condition.op === 'gte' && 'value' in condition) {
    const { value } = condition;
    for (let i = 0; i < passed.length; i++) if ((now[i] as number) >= value) passed[i] = (passed[i] as number) + 1;
    return;
  }
  if (condition.op === 'lt' && 'value' in condition) {
    const { value } = condition;
    for (let i = 0; i < passed.length; i++) if ((now[i] as number) < value) passed[i] = (passed[i] as number) + 1;
    return;
  }
  if ('value' in condition) throw new Error(`No filter of this measurement has ${condition.op} with a value.`);
  const [bound, before, boundBefore] = [
    at(condition.other_field),
    at(`previous_${condition.field}`),
    at(`previous_${condition.other_field}`),
  ];
  if (condition.op === 'gt') add((i) => (now[i] as number) > (bound[i] as number));
  else if (condition.op === 'lt') add((i) => (now[i] as number) < (bound[i] as number));
  else if (condition.op === 'crosses_above')
    add((i) => (now[i] as number) > (bound[i] as number) && (before[i] as number) <= (boundBefore[i] as number));
  else if (condition.op === 'crosses_below')
    add((i) => (now[i] as number) < (bound[i] as number) && (before[i] as number) >= (boundBefore[i] as number));
  else throw new Error(`No filter of this measurement has ${condition.op}.`);
}
