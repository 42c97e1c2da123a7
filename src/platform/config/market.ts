import { isSafeWebAddress } from './checks.ts';
import { ConfigError } from './config-error.ts';

/** The providers of live market data, in the order of preference that is the default. */
export const PROVIDER_IDS = ['alpaca', 'massive', 'dukascopy'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

export const ALPACA_FEEDS = ['sip', 'iex', 'otc', 'boats'] as const;
export type AlpacaFeed = (typeof ALPACA_FEEDS)[number];

/** The settings of live market data. Base addresses have no slash at their end. */
export interface MarketSettings {
  /** The providers that are used, the preferred one first. Each has its key. */
  readonly providers: readonly ProviderId[];
  readonly alpaca: {
    readonly key: { readonly id: string; readonly secret: string } | undefined;
    /** Undefined for the best feed of the account's plan. */
    readonly feed: AlpacaFeed | undefined;
    readonly url: string;
    readonly tradingUrl: string;
    readonly requestsPerMinute: number;
  };
  readonly massive: {
    readonly key: string | undefined;
    readonly url: string;
    readonly requestsPerMinute: number;
  };
  readonly dukascopy: { readonly url: string; readonly requestsPerMinute: number };
  /** Maximum number of bytes of the bars that the database keeps. */
  readonly barStoreBytes: number;
}

// The functions that read or check a setting throw an `Error` whose message completes "NAME must …". No message contains
// a part of a key.

/** Reads a list of different provider ids; `none` is an empty one. */
export function readProviderIds<Id extends string>(text: string, ids: readonly Id[]): readonly Id[] {
  if (text === 'none') return [];
  const chosen = text.split(',').map((item) => ids.find((id) => id === item.trim()));
  if (chosen.includes(undefined) || new Set(chosen).size < chosen.length) {
    throw new Error(`be none, or a comma-separated list of different providers among ${ids.join(', ')}`);
  }
  return chosen as Id[];
}

/** Reads the base address of a provider, to which paths are added. */
export function readBaseAddress(text: string): string {
  // Keys are sent to the address, so that it must be encrypted beyond this machine.
  if (!isSafeWebAddress(text) || /[?#]/.test(text)) {
    throw new Error('be an https address, or http on loopback, without a user, query or fragment');
  }
  return text.replace(/\/+$/, '');
}

/** Checks that a key can be sent in a header. */
export function checkProviderKey(text: string): void {
  if (!/^[\x21-\x7e]{1,256}$/.test(text)) {
    throw new Error('have 1 to 256 characters: ASCII letters, digits and signs, without spaces');
  }
}

/** The values of the settings that the keys and the list of providers come from; undefined if not set. */
export interface ProviderChoice {
  readonly ALMANAC_MARKET_PROVIDERS: readonly ProviderId[] | undefined;
  readonly ALMANAC_ALPACA_KEY_ID: string | undefined;
  readonly ALMANAC_ALPACA_SECRET: string | undefined;
  readonly ALMANAC_MASSIVE_KEY: string | undefined;
}

/** Returns Alpaca's key. Throws a `ConfigError` if only one half of it is set. */
export function requireWholeKey(values: ProviderChoice): MarketSettings['alpaca']['key'] {
  const { ALMANAC_ALPACA_KEY_ID: id, ALMANAC_ALPACA_SECRET: secret } = values;
  if (id !== undefined && secret !== undefined) return { id, secret };
  if (id === undefined && secret === undefined) return undefined;
  const [missing, present] =
    secret === undefined
      ? ['ALMANAC_ALPACA_SECRET', 'ALMANAC_ALPACA_KEY_ID']
      : ['ALMANAC_ALPACA_KEY_ID', 'ALMANAC_ALPACA_SECRET'];
  throw new ConfigError(`${missing} must be set when ${present} is set.`);
}

/**
 * Returns the providers that are used. Throws a `ConfigError` if the operator chose one whose key is missing. Of the
 * default list, those without a key are left out.
 */
export function chooseProviders(values: ProviderChoice): readonly ProviderId[] {
  const chosen = values.ALMANAC_MARKET_PROVIDERS;
  const missing = (chosen ?? PROVIDER_IDS).filter((id) => findMissingKeys(values, id).length > 0);
  const [first] = missing;
  if (chosen !== undefined && first !== undefined) {
    const names = findMissingKeys(values, first).join(' and ');
    throw new ConfigError(`${names} must be set when ALMANAC_MARKET_PROVIDERS lists ${first}.`);
  }
  return (chosen ?? PROVIDER_IDS).filter((id) => !missing.includes(id));
}

/** The settings with the key of each provider. */
export const PROVIDER_KEY_SETTINGS = {
  alpaca: ['ALMANAC_ALPACA_KEY_ID', 'ALMANAC_ALPACA_SECRET'],
  massive: ['ALMANAC_MASSIVE_KEY'],
  dukascopy: [],
} as const satisfies Record<ProviderId, readonly (keyof ProviderChoice)[]>;

function findMissingKeys(values: ProviderChoice, id: ProviderId): readonly string[] {
  return PROVIDER_KEY_SETTINGS[id].filter((name) => values[name] === undefined);
}
