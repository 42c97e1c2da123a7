import { isCompleted } from '../calendar/index.ts';
import { type Clock, type Database, type ProviderClient, type ProviderError, tryProvider } from '../platform/index.ts';
import { buildRows, VALUE_FIELD } from './providers/build-rows.ts';
import type { EconomicAdapter } from './providers/provider.ts';

/** The outcome of one real request. */
export interface EconomicCheck {
  readonly provider: string;
  readonly seriesId: string;
  /** The newest row; null if the request failed or the provider returned no row. */
  readonly newest: { readonly timestamp: number; readonly value: number } | null;
  readonly error: ProviderError | null;
  /** Whether the breaker of the provider is open, so that other requests are not sent. */
  readonly isOpen: boolean;
}

/** Reads a well-known series from a provider, past the store and even if the breaker is open. */
export async function checkEconomicProvider(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  adapter: EconomicAdapter,
  signal?: AbortSignal,
): Promise<EconomicCheck> {
  const call = (http: ProviderClient) => readNewest(adapter, http, clock.now().getTime());
  const { result, error, isOpen } = await tryProvider({ database, clock }, adapter, call, signal);
  return { provider: adapter.id, seriesId: adapter.wellKnown.seriesId, newest: result, error, isOpen };
}

async function readNewest(
  adapter: EconomicAdapter,
  http: ProviderClient,
  at: number,
): Promise<EconomicCheck['newest']> {
  const series = await adapter.readSeries(adapter.wellKnown, http);
  if (series === null || !('frequency' in series.frequency)) return null;
  const { frequency } = series.frequency;
  const { table } = buildRows(adapter.id, frequency, series.observations);
  const values = table.columns[VALUE_FIELD] ?? [];
  for (let row = table.timestamps.length - 1; row >= 0; row--) {
    const [timestamp, value] = [table.timestamps[row] as number, values[row] as number];
    if (!Number.isNaN(value) && isCompleted({ frequency, kind: 'plain' }, timestamp, at)) return { timestamp, value };
  }
  return null;
}
