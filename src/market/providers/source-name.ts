import type { MarketSourceName } from '../../contract/index.ts';

/** The names that the interface accepts for providers besides their own. */
const ALIASES: Partial<Record<MarketSourceName, string>> = {
  provider_a: 'alpaca',
  provider_b: 'massive',
  provider_c: 'dukascopy',
};

/** The id of the provider that a caller named, or `auto`. */
export function resolveSourceName(source: MarketSourceName): string {
  return ALIASES[source] ?? source;
}
