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

/** Returns the providers that are used: by default those without a key, and FRED if its key is set. */
function chooseEconomicProviders(
  chosen: readonly EconomicProviderId[] | undefined,
  fredKey: string | undefined,
): readonly EconomicProviderId[] {
  if (chosen === undefined) return fredKey === undefined ? KEYLESS_PROVIDER_IDS : ECONOMIC_PROVIDER_IDS;
  if (chosen.includes('fred') && fredKey === undefined) {
    throw new ConfigError('ALMANAC_FRED_KEY must be set when ALMANAC_ECONOMIC_PROVIDERS lists fred.');
  }
  return chosen;
}

type Provider = 'FRED' | 'DBNOMICS' | 'WORLDBANK' | 'ECB' | 'EUROSTAT';

type EconomicValues = { readonly [Name in `ALMANAC_${Provider}_URL`]: string } & {
  readonly [Name in `ALMANAC_${Provider}_REQUESTS_PER_MINUTE`]: number;
} & {
  readonly ALMANAC_ECONOMIC_PROVIDERS: readonly EconomicProviderId[] | undefined;
  readonly ALMANAC_FRED_KEY: string | undefined;
};

/** Returns the settings of economic series. Throws a `ConfigError` if the operator chose FRED without a key. */
export function economicOf(values: EconomicValues): EconomicSettings {
  return {
    providers: chooseEconomicProviders(values.ALMANAC_ECONOMIC_PROVIDERS, values.ALMANAC_FRED_KEY),
    fred: {
      key: values.ALMANAC_FRED_KEY,
      url: values.ALMANAC_FRED_URL,
      requestsPerMinute: values.ALMANAC_FRED_REQUESTS_PER_MINUTE,
    },
    dbnomics: {
      url: values.ALMANAC_DBNOMICS_URL,
      requestsPerMinute: values.ALMANAC_DBNOMICS_REQUESTS_PER_MINUTE,
    },
    worldbank: {
      url: values.ALMANAC_WORLDBANK_URL,
      requestsPerMinute: values.ALMANAC_WORLDBANK_REQUESTS_PER_MINUTE,
    },
    ecb: { url: values.ALMANAC_ECB_URL, requestsPerMinute: values.ALMANAC_ECB_REQUESTS_PER_MINUTE },
    eurostat: {
      url: values.ALMANAC_EUROSTAT_URL,
      requestsPerMinute: values.ALMANAC_EUROSTAT_REQUESTS_PER_MINUTE,
    },
  };
}
