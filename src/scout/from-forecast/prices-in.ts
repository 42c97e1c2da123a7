import type { SourceReference } from '../../contract/index.ts';
import type { Snapshot } from '../../snapshots/index.ts';

const PRICES = ['open', 'high', 'low', 'close'];

/** The rows that a forecast was made from, if they are prices: how these moved before says something about how they will. */
export function pricesIn({ table }: Pick<Snapshot, 'table'>, source: SourceReference | null): Float64Array | null {
  if (source?.type !== 'market' || !PRICES.includes(source.value_field ?? 'close')) return null;
  return table.columns[source.value_field ?? 'close'] ?? Object.values(table.columns)[0] ?? null;
}
