import { EVERY_LICENSE, type Licenses } from '../access/index.ts';
import type { MarketReference } from '../contract/index.ts';
import { createBundledSeries, createEconomicSource, indexSources } from '../datasets/index.ts';
import { createBundledProvider, createMarket, createMarketSource, type MarketProvider } from '../market/index.ts';
import { type Clock, type Database, type Log, readSigningKey, systemClock } from '../platform/index.ts';
import { createSnapshotExports, createSourceRegistry, type SeriesSource } from '../snapshots/index.ts';
import { createCsvSource } from '../workspaces/index.ts';
import { NO_DATABASE } from './missing-parts.ts';

export interface DataOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked before the bundled data. */
  readonly providers: readonly MarketProvider[];
  /** Under which rows may be read; left out: every one. */
  readonly licenses?: Licenses;
}

/** Bars from whoever is configured, and from the bundled data. */
export function openMarket({ database, clock, providers, licenses = EVERY_LICENSE }: Omit<DataOptions, 'log'>) {
  let key: Promise<Buffer> | undefined;
  const cursorKey = (): Promise<Buffer> => {
    key ??= readSigningKey(database, 'cursors').catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  const exports = createSnapshotExports({ database, clock });
  const bundled = [...providers, createBundledProvider()];
  const market = createMarket({ database, clock, exports, cursorKey, providers: bundled, licenses });
  return { exports, cursorKey, market };
}

/** Where series come from, and the ways to find and read them. */
export function openData({ log, ...options }: DataOptions) {
  const { database, clock, licenses = EVERY_LICENSE } = options;
  const { exports, cursorKey, market } = openMarket(options);
  const series = [
    createMarketSource(market),
    createEconomicSource([createBundledSeries()], clock),
    createCsvSource({ database }),
  ];
  const sources = createSourceRegistry(series, licenses);
  return { exports, market, sources, search: { ...indexSources(sources.all, log), cursorKey } };
}

/** The bundled bars alone: nothing but files is read, so there needs to be no database. */
export function openBundledMarket(): SeriesSource<MarketReference> {
  const providers = [createBundledProvider()];
  const nothing = {
    database: NO_DATABASE,
    exports: createSnapshotExports({ database: NO_DATABASE, clock: systemClock }),
  };
  const cursorKey = () => readSigningKey(NO_DATABASE, 'cursors');
  return createMarketSource(createMarket({ ...nothing, clock: systemClock, cursorKey, providers }));
}
