import { type Config, loadConfig } from '../../../src/platform/index.ts';

/** The settings without which a service of a test would send requests to providers. A test can choose others. */
export const NO_PROVIDERS = { ALMANAC_MARKET_PROVIDERS: 'none', ALMANAC_ECONOMIC_PROVIDERS: 'none' };

/**
 * Reads the settings of a service that sends no requests to the outside unless a test chooses a provider. It refuses nothing
 * because the event loop is late, which other tests on the same machine can cause.
 */
export function loadTestConfig(environment: Readonly<Record<string, string | undefined>> = {}): Config {
  return loadConfig({ ...NO_PROVIDERS, ALMANAC_SHED_LOOP_MS: '0', ...environment });
}
