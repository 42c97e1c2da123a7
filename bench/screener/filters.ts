import { SCREENER_FIELDS, type ScreenerCondition, type ScreenerField } from '../../src/contract/index.ts';
import type { Random } from '../../src/engine/numerics/random.ts';
import type { SavedFilterRules } from '../../src/screener/evaluate/filter-rules.ts';
import type { DailyMetricsTable } from '../../src/screener/tables.ts';

const PRICES: readonly ScreenerField[] = ['close', 'sma_20', 'sma_50', 'sma_200'];

/**
 * Generates typical filters: bounds in the tails of each field, crossings of averages, and some with lists of symbols.
 */
export function generateFilters(random: Random, count: number, rows: readonly DailyMetricsTable[]): SavedFilterRules[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.uniform() * items.length)] as Item;
  const sorted = new Map(SCREENER_FIELDS.map((field) => [field, sortedValues(rows, field)]));
  const quantile = (field: ScreenerField, share: number): number => {
    const values = sorted.get(field) ?? new Float64Array();
    return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
  };
  const condition = (): ScreenerCondition => {
    const kind = random.uniform();
    const field = pick(SCREENER_FIELDS);
    if (kind < 0.15) {
      const op = random.uniform() < 0.5 ? 'crosses_above' : 'crosses_below';
      return { field: 'close', op, other_field: pick(PRICES.slice(1)) };
    }
    if (kind < 0.25)
      return { field: 'close', op: random.uniform() < 0.5 ? 'gt' : 'lt', other_field: pick(PRICES.slice(1)) };
    const share = random.uniform();
    if (kind < 0.4)
      return { field, op: 'between', value: [quantile(field, share * 0.8), quantile(field, share * 0.8 + 0.2)] };
    return share < 0.5
      ? { field, op: 'gte', value: quantile(field, 0.6 + 0.8 * share * 0.9) }
      : { field, op: 'lt', value: quantile(field, 0.4 * share) };
  };
  const symbols = rows.map(({ symbol }) => symbol);
  return Array.from({ length: count }, (_, i): SavedFilterRules => {
    const most = 2 + Math.floor(random.uniform() * 4);
    return {
      id: `alt_${String(i).padStart(26, '0')}`,
      universe: random.uniform() < 0.8 ? 'all' : listOf(random, symbols),
      combine: random.uniform() < 0.95 ? 'all' : 'any',
      conditions: Array.from({ length: most }, condition),
    };
  });
}

function listOf(random: Random, symbols: readonly string[]): string[] {
  const from = Math.floor(random.uniform() * symbols.length);
  return symbols.slice(from, from + 1 + Math.floor(random.uniform() * 200));
}

function sortedValues(rows: readonly DailyMetricsTable[], field: ScreenerField): Float64Array {
  return Float64Array.from(rows.flatMap((row) => row[field] ?? [])).sort();
}
