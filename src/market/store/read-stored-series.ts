import { ProviderError, systemClock } from '../../platform/index.ts';
import type { MarketProvider, SeriesKey } from '../providers/provider.ts';
import { answerWindow, type StoredBars } from './answer-window.ts';
import { DamagedChunkError } from './chunk-codec.ts';
import { loadSeries } from './load-series.ts';
import { resolveWindow, type SeriesWindow } from './plan-fetch.ts';
import type { BarStoreContext } from './read-series.ts';

/**
 * Returns the bars of a series that are stored, without a request to the provider. They can be older than those that the
 * provider has, and adjusted prices are those of the day on which they were read. Throws a `ProviderError` if no bars are
 * stored, as for a symbol that the provider does not have.
 */
export async function readStoredSeries(
  { database, clock = systemClock }: Pick<BarStoreContext, 'database' | 'clock'>,
  provider: MarketProvider,
  key: SeriesKey,
  window: SeriesWindow,
): Promise<StoredBars> {
  const wanted = resolveWindow(provider, key, window, clock.now().getTime());
  const stored = await loadSeries(database, { ...key, provider: provider.id }, wanted, wanted.limit).catch((error) => {
    // The next read of the series reports it and reads the bars again.
    if (error instanceof DamagedChunkError) return null;
    throw error;
  });
  const bars = stored && answerWindow(stored, wanted);
  if (bars === null || bars.bars.timestamps.length === 0) throw new ProviderError(provider.id, 'NOT_FOUND');
  return bars;
}
