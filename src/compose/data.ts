import { ALL_LICENSES, type Licenses } from '../access/index.ts';
import type { MarketReference } from '../contract/index.ts';
import { createBundledEconomicProvider, createEconomicSource, createSeriesSearch } from '../datasets/index.ts';
import { createBundledProvider, createMarket, createMarketSource, type MarketProvider } from '../market/index.ts';
import { type Clock, createSigningKeyReader, type Database, type Log, systemClock } from '../platform/index.ts';
import { createSnapshotExports, createSourceRegistry, type SeriesSource } from '../snapshots/index.ts';
import { createCsvSource } from '../workspaces/index.ts';

export interface DataOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** The configured providers, which are preferred to the bundled data. */
  readonly providers: readonly MarketProvider[];
  /** Decides which licenses the rows that are read may have. */
  readonly licenses: Licenses;
  /** The size of the bar store. Omitted if bars of providers are not stored. */
  readonly barStoreBytes?: number | undefined;
}

/** Opens the market, which has the bars of the configured providers and of the bundled data. */
export function openMarket({ database, clock, log, providers, licenses, barStoreBytes }: DataOptions) {
  const cursorKey = createSigningKeyReader(database, 'cursors');
  const exports = createSnapshotExports({ database, clock });
  const all = [...providers, createBundledProvider()];
  const barStore = barStoreBytes === undefined ? {} : { barStore: { storeBytes: barStoreBytes, log } };
  const market = createMarket({ database, clock, exports, cursorKey, providers: all, licenses, ...barStore });
  return { exports, cursorKey, market };
}

/** Opens every source of series, and the search over them. */
export function openData(options: DataOptions) {
  const { database, clock, log, licenses } = options;
  const { exports, cursorKey, market } = openMarket(options);
  const series = [
    createMarketSource(market),
    createEconomicSource([createBundledEconomicProvider()], clock),
    createCsvSource({ database }),
  ];
  const sources = createSourceRegistry(series, licenses);
  return { exports, market, sources, search: { ...createSeriesSearch(sources.all, log), cursorKey } };
}

/** Opens only the bundled bars. They are files, so no database is needed. */
export function openBundledMarket(clock: Clock = systemClock): SeriesSource<MarketReference> {
  return createMarketSource({ clock, providers: [createBundledProvider()], licenses: ALL_LICENSES });
}
