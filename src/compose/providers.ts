import { sql } from 'kysely';
import {
  createAlpacaProvider,
  createBundledProvider,
  createDukascopyProvider,
  createListedInstruments,
  createMassiveProvider,
  type KnownProvider,
  type ListingsContext,
  type MarketProvider,
} from '../market/index.ts';
import {
  type Clock,
  type Config,
  type Database,
  fixedConfig,
  type LiveConfig,
  type Log,
  PROVIDER_IDS,
  type ProviderId,
} from '../platform/index.ts';

export interface ProviderParts {
  readonly config: Config;
  /** Has the keys that are in use now. Default: those of `config`. */
  readonly live?: LiveConfig | undefined;
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
}

/** Creates the configured providers of live market data, the preferred one first. */
export function createProviders(parts: ProviderParts): readonly MarketProvider[] {
  return parts.config.market.providers.map((id) => createProvider(parts, id));
}

/**
 * Returns every provider that the service has an adapter for: those that are used, in the order in which they are tried,
 * and then the others.
 *
 * @param configured the providers that are used
 */
export function listKnownProviders(
  parts: ProviderParts,
  configured: readonly MarketProvider[],
): readonly KnownProvider[] {
  const used = [...configured, createBundledProvider()];
  const others = PROVIDER_IDS.filter((id) => !used.some((provider) => provider.id === id));
  return [
    ...used.map((provider) => ({ provider, isConfigured: true })),
    ...others.map((id) => ({ provider: createProvider(parts, id), isConfigured: false })),
  ];
}

/** Creates a provider. One that is not configured may lack its key, and can then only be described. */
function createProvider(
  { config, live = fixedConfig(config), clock, ...parts }: ProviderParts,
  id: ProviderId,
): MarketProvider {
  const { market } = config;
  const keys = () => live.current().market;
  switch (id) {
    case 'alpaca':
      return createAlpacaProvider({
        ...market.alpaca,
        keyId: () => keys().alpaca.key?.id ?? '',
        secret: () => keys().alpaca.key?.secret ?? '',
        clock,
      });
    case 'massive':
      return createMassiveProvider({ ...market.massive, key: () => keys().massive.key ?? '', clock });
    case 'dukascopy': {
      const { read: listed, prepare } = createListedInstruments({ ...parts, clock }, id);
      return createDukascopyProvider({ ...market.dukascopy, clock, listed, prepare });
    }
  }
}

/**
 * Creates the function that decides which listings are read. Those of providers of currencies are read only after the
 * provider has served bars, so that a service which needs no currencies sends no request to them.
 */
export function createListingChoice(database: Database): ListingsContext['isListingWanted'] {
  return async ({ id, serves }) => {
    if (serves === 'stocks') return true;
    const { rows } = await sql<{ served: boolean }>`
      SELECT EXISTS (SELECT FROM bar_series WHERE provider = ${id}) AS served
    `.execute(database.query());
    return rows[0]?.served === true;
  };
}
