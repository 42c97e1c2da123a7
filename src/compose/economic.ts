import {
  createBundledEconomicProvider,
  createDbnomicsAdapter,
  createEcbAdapter,
  createEconomicListing,
  createEconomicStore,
  createEurostatAdapter,
  createFredAdapter,
  createRemoteProvider,
  createWorldBankAdapter,
  type EconomicAdapter,
  type EconomicListing,
  type EconomicStore,
  type KnownAdapter,
  UnusableReply,
  withoutFetches,
} from '../datasets/index.ts';
import {
  type Clock,
  type Config,
  type Database,
  ECONOMIC_PROVIDER_IDS,
  type EconomicProviderId,
  fixedConfig,
  type Log,
} from '../platform/index.ts';

/** Creates the configured adapters of economic series. */
export function createEconomicAdapters(config: Config, live = fixedConfig(config)): readonly EconomicAdapter[] {
  return config.economic.providers.map((id) => createAdapter(config, id, live));
}

/** Returns every adapter that the service has: those that it uses, and then the others, which can only be described. */
export function listKnownAdapters({
  config,
  adapters,
}: {
  readonly config: Config;
  readonly adapters: readonly EconomicAdapter[];
}): readonly KnownAdapter[] {
  const others = ECONOMIC_PROVIDER_IDS.filter((id) => !adapters.some((adapter) => adapter.id === id));
  return [
    ...adapters.map((adapter) => ({ adapter, isConfigured: true })),
    ...others.map((id) => ({ adapter: createAdapter(config, id), isConfigured: false })),
  ];
}

function createAdapter(config: Config, id: EconomicProviderId, live = fixedConfig(config)): EconomicAdapter {
  const { economic } = config;
  switch (id) {
    case 'fred':
      return createFredAdapter({ ...economic.fred, key: () => live.current().economic.fred.key ?? '' });
    case 'dbnomics':
      return createDbnomicsAdapter(economic.dbnomics);
    case 'worldbank':
      return createWorldBankAdapter(economic.worldbank);
    case 'ecb':
      return createEcbAdapter(economic.ecb);
    case 'eurostat':
      return createEurostatAdapter(economic.eurostat);
  }
}

export interface EconomicParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly adapters: readonly EconomicAdapter[];
}

/** Opens the providers of economic series, the bundled one first, and the listings of the others. */
export function openEconomicData({ database, clock, log, adapters }: EconomicParts) {
  const listing = createEconomicListing({ database, clock, log, adapters });
  const isLasting = (error: unknown) => error instanceof UnusableReply;
  const store = createEconomicStore({ database, clock, log, lastUpdateOf: findLastUpdate(listing), isLasting });
  const bundled = createBundledEconomicProvider();
  const withStore = (used: EconomicStore) => [
    bundled,
    ...adapters.map((adapter) => createRemoteProvider({ database, clock, store: used }, adapter)),
  ];
  return { listing, providers: withStore(store), storedProviders: withStore(withoutFetches(store)) };
}

/** Returns the function that finds the listed update of a series, or of the data set whose whole key the id is. */
function findLastUpdate({ lastUpdateOf }: Pick<EconomicListing, 'lastUpdateOf'>): EconomicListing['lastUpdateOf'] {
  return async (provider, seriesId) => {
    const own = await lastUpdateOf(provider, seriesId);
    const end = seriesId.lastIndexOf('/');
    return own === null && end > 0 ? lastUpdateOf(provider, seriesId.slice(0, end)) : own;
  };
}
