import type { WireServer } from '../platform/wire-server.ts';
import { createDbnomicsScene } from './dbnomics-scene.ts';
import { createEcbScene } from './ecb-scene.ts';
import { ECB_PATH } from './ecb-server.ts';
import { createEurostatScene } from './eurostat-scene.ts';
import { createFredScene } from './fred-scene.ts';
import { createWorldBankScene } from './worldbank-scene.ts';

type ProviderName = 'fred' | 'dbnomics' | 'worldbank' | 'ecb' | 'eurostat';

export interface LoopbackEconomy extends AsyncDisposable, Readonly<Record<ProviderName, WireServer>> {
  /** The key that FRED's server accepts. */
  readonly fredKey: string;
  /** The settings of a service that uses the five servers, with large budgets. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the five providers of economic series on this machine. */
export async function startLoopbackEconomy(): Promise<LoopbackEconomy> {
  await using open = new AsyncDisposableStack();
  const fred = open.use(await createFredScene());
  const dbnomics = open.use(await createDbnomicsScene());
  const worldbank = open.use(await createWorldBankScene());
  const ecb = open.use(await createEcbScene());
  const eurostat = open.use(await createEurostatScene());
  const fredKey = fred.key ?? '';
  const kept = open.move();
  return {
    fred: fred.server,
    dbnomics: dbnomics.server,
    worldbank: worldbank.server,
    ecb: ecb.server,
    eurostat: eurostat.server,
    fredKey,
    environment: {
      ALMANAC_ECONOMIC_PROVIDERS: 'fred,dbnomics,worldbank,ecb,eurostat',
      ALMANAC_FRED_KEY: fredKey,
      ALMANAC_FRED_URL: fred.server.url,
      ALMANAC_DBNOMICS_URL: `${dbnomics.server.url}/v22`,
      ALMANAC_WORLDBANK_URL: worldbank.server.url,
      ALMANAC_ECB_URL: `${ecb.server.url}${ECB_PATH}`,
      ALMANAC_EUROSTAT_URL: eurostat.server.url,
      ...Object.fromEntries(
        ['FRED', 'DBNOMICS', 'WORLDBANK', 'ECB', 'EUROSTAT'].map((id) => [`ALMANAC_${id}_REQUESTS_PER_MINUTE`, '6000']),
      ),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
