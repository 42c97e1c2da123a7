import type { BulkProvider } from '../providers/collect-days.ts';
import type { MarketProvider } from '../providers/provider.ts';

export function isBulk(provider: MarketProvider): provider is BulkProvider {
  return provider.bulk !== undefined;
}
