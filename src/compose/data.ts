import { ALL_LICENSES, type Licenses } from '../access/index.ts';
import type { MarketReference } from '../contract/index.ts';
import {
  createBundledEconomicProvider,
  createEconomicSource,
  createSeriesPreviews,
  createSeriesSearch,
  createWarehouseSource,
  type EconomicAdapter,
} from '../datasets/index.ts';
import {
  BUNDLED_PAIRS,
  createBundledProvider,
  createDirectory,
  createMarket,
  createMarketSource,
  type MarketProvider,
} from '../market/index.ts';
import { type Clock, createSigningKeysReader, type Database, type Log, systemClock } from '../platform/index.ts';
import {
  createSnapshotExports,
  createSourceRegistry,
  type SeriesSource,
  type SourceRegistry,
} from '../snapshots/index.ts';
import { createCsvSource } from '../workspaces/index.ts';
import { openEconomicData } from './economic.ts';
import type { Warehouse } from './warehouse.ts';

export interface DataOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** The configured providers of bars, which are preferred to the bundled data. */
  readonly providers: readonly MarketProvider[];
  /** The configured adapters of economic series. */
  readonly adapters: readonly EconomicAdapter[];
  /** Omitted if there are no warehouse tables. */
  readonly warehouse?: Warehouse;
  /** Decides which licenses the rows that are read may have. */
  readonly licenses: Licenses;
  /** The size of the bar store. Omitted if bars of providers are not stored. */
  readonly barStoreBytes?: number | undefined;
}

/** Opens the market, which has the bars of the configured providers and of the bundled data. */
export function openMarket({
  database,
  clock,
  log,
  providers,
  licenses,
  barStoreBytes,
}: Omit<DataOptions, 'adapters' | 'warehouse'>) {
  const cursorKey = createSigningKeysReader(database, 'cursors');
  const exports = createSnapshotExports({ database, clock });
  const all = [...providers, createBundledProvider()];
  const barStore = barStoreBytes === undefined ? {} : { barStore: { storeBytes: barStoreBytes, log } };
  const presets = new Map([['dukascopy', [...BUNDLED_PAIRS.values()]]]);
  const directory = createDirectory({ database, clock, log, providers: all, presets });
  const parts = { database, clock, exports, cursorKey, providers: all, licenses, directory };
  const market = createMarket({ ...parts, ...barStore });
  return { exports, cursorKey, market, directory };
}

/** Opens every source of series, and the search over them. */
export function openData(options: DataOptions) {
  const { database, clock, log, licenses } = options;
  const { exports, cursorKey, market, directory } = openMarket(options);
  const economic = openEconomicData(options);
  const { listing, storedProviders } = economic;
  const series = [
    createMarketSource(market),
    createEconomicSource({ ...economic, clock }),
    ...(options.warehouse ? [createWarehouseSource({ ...options.warehouse, clock })] : []),
    createCsvSource({ database }),
  ];
  const sources = createSourceRegistry(series, licenses);
  // A preview must not cost a request to a provider, nor a query of a warehouse table.
  const stored = [
    createMarketSource({ ...market, isStoredOnly: true }),
    createEconomicSource({ providers: storedProviders, clock }),
  ];
  const previewSeries = createSeriesPreviews(createSourceRegistry(stored, licenses), clock);
  const found = { list: listing.listFound, version: listing.foundVersion, find: listing.find };
  const search = createSeriesSearch(sources.all, log, { now: () => clock.now().getTime(), found });
  return { exports, market, directory, listing, sources, previewSeries, search: { ...search, cursorKey } };
}

/** Opens only the series that are installed with the service. They are files, so no database is needed. */
export function openBundledSources(licenses: Licenses, clock: Clock = systemClock): SourceRegistry {
  const economic = createEconomicSource({ providers: [createBundledEconomicProvider()], clock });
  return createSourceRegistry([openBundledMarket(clock), economic], licenses);
}

/** Opens only the bundled bars. They are files, so no database is needed. */
export function openBundledMarket(clock: Clock = systemClock): SeriesSource<MarketReference> {
  return createMarketSource({ clock, providers: [createBundledProvider()], licenses: ALL_LICENSES });
}
