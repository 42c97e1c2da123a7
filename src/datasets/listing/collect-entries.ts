import { setImmediate } from 'node:timers/promises';
import { ProviderError } from '../../platform/index.ts';
import type { Dimension, EconomicAdapter, ListedEntry } from '../providers/provider.ts';
import { cleanMembers, type SeriesRow, toSeriesRow } from './series-row.ts';

/** A complete listing of a provider. */
export interface CollectedListing {
  /** The series by their id. */
  readonly series: Map<string, SeriesRow>;
  readonly members: Dimension | null;
  /** The number of entries that were left out, because their id is not usable or occurred before. */
  readonly dropped: number;
}

/** Several times the largest listing. */
const MAX_ENTRIES = 250_000;

/** Reads the members and the listing of a provider to their end. */
export async function collectListing(
  adapter: EconomicAdapter,
  http: Parameters<EconomicAdapter['readListing']>[0],
): Promise<CollectedListing> {
  const members = (await adapter.readMembers?.(http)) ?? null;
  const { series, dropped } = await collectEntries(adapter.id, adapter.readListing(http));
  return { series, members: members === null ? null : cleanMembers(members), dropped };
}

async function collectEntries(
  provider: string,
  batches: AsyncIterable<readonly ListedEntry[]>,
): Promise<Pick<CollectedListing, 'series' | 'dropped'>> {
  const series = new Map<string, SeriesRow>();
  let dropped = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      const row = toSeriesRow(entry);
      if (row === null || series.has(row.series_id)) dropped++;
      else series.set(row.series_id, row);
    }
    if (series.size > MAX_ENTRIES) throw new ProviderError(provider, 'TOO_LARGE');
    // Batches that need no request, such as parts of one large reply, would otherwise follow without a pause.
    await setImmediate();
  }
  return { series, dropped };
}
