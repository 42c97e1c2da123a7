import {
  createAlpacaProvider,
  createBundledProvider,
  createDukascopyProvider,
  createMassiveProvider,
  type KnownProvider,
  type MarketProvider,
} from '../market/index.ts';
import { type Clock, type Config, PROVIDER_IDS, type ProviderId } from '../platform/index.ts';

export interface ProviderParts {
  readonly config: Config;
  readonly clock: Clock;
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
function createProvider({ config: { market }, clock }: ProviderParts, id: ProviderId): MarketProvider {
  const { key: alpacaKey = { id: '', secret: '' }, ...alpaca } = market.alpaca;
  const { key = '', ...massive } = market.massive;
  switch (id) {
    case 'alpaca':
      return createAlpacaProvider({ ...alpaca, keyId: alpacaKey.id, secret: alpacaKey.secret, clock });
    case 'massive':
      return createMassiveProvider({ ...massive, key, clock });
    case 'dukascopy':
      return createDukascopyProvider({ ...market.dukascopy, clock });
  }
}
