import { ConfigError } from './config-error.ts';

/** The providers of economic series beside the bundled data, in the order in which they are listed. */
export const ECONOMIC_PROVIDER_IDS = ['fred', 'dbnomics', 'worldbank', 'ecb', 'eurostat'] as const;
export type EconomicProviderId = (typeof ECONOMIC_PROVIDER_IDS)[number];

/** The providers that need no key. */
export const KEYLESS_PROVIDER_IDS = ECONOMIC_PROVIDER_IDS.filter((id) => id !== 'fred');

interface ProviderAddress {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/** The settings of economic series. */
export interface EconomicSettings {
  /** The providers that are used. Each has its key. */
  readonly providers: readonly EconomicProviderId[];
  readonly fred: ProviderAddress & { readonly key: string | undefined };
  readonly dbnomics: ProviderAddress;
  readonly worldbank: ProviderAddress;
  readonly ecb: ProviderAddress;
  readonly eurostat: ProviderAddress;
}

/** Checks that a key has the form of FRED's keys. The message contains no part of the key. */
export function checkFredKey(text: string): void {
  if (!/^[a-z0-9]{32}$/.test(text)) throw new Error('have 32 characters: lower-case letters and digits');
}

/**
 * Returns the providers that are used: by default those without a key, and FRED if its key is set. Throws a
 * `ConfigError` if the operator chose FRED without a key.
 */
export function chooseEconomicProviders(
  chosen: readonly EconomicProviderId[] | undefined,
  fredKey: string | undefined,
): readonly EconomicProviderId[] {
  if (chosen === undefined) return fredKey === undefined ? KEYLESS_PROVIDER_IDS : ECONOMIC_PROVIDER_IDS;
  if (chosen.includes('fred') && fredKey === undefined) {
    throw new ConfigError('ALMANAC_FRED_KEY must be set when ALMANAC_ECONOMIC_PROVIDERS lists fred.');
  }
  return chosen;
}
