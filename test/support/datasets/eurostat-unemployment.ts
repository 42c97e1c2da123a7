import { createEurostatAdapter } from '../../../src/datasets/providers/eurostat/eurostat-adapter.ts';
import type { EconomicAdapter, Selection } from '../../../src/datasets/providers/provider.ts';
import { createProviderClient, ProviderError, type ProviderFault } from '../../../src/platform/index.ts';
import type { WireServer } from '../platform/wire-server.ts';
import { type EurostatDataSet, type EurostatServerOptions, startEurostatServer } from './eurostat-server.ts';

/** A small data set with adjustment, a confidential value and a flag. */
export const RATE: EurostatDataSet = {
  code: 'une_rt_q',
  title: 'Unemployment by sex and age - quarterly data',
  dimensions: [
    { id: 'freq', label: 'Time frequency', values: { Q: 'Quarterly' } },
    { id: 's_adj', label: 'Seasonal adjustment', values: { SA: 'Seasonally adjusted data', NSA: 'Unadjusted data' } },
    { id: 'age', label: 'Age class', values: { 'Y15-74': 'From 15 to 74 years', Y_LT25: 'Less than 25 years' } },
    { id: 'unit', label: 'Unit of measure', values: { PC_ACT: 'Percentage of population in the labour force' } },
    { id: 'geo', label: 'Geopolitical entity (reporting)', values: { FR: 'France', EA20: 'Euro area' } },
  ],
  periods: ['2023-Q3', '2023-Q4', '2024-Q1'],
  cells: { 'Q.SA.Y15-74.PC_ACT.FR': { '2023-Q3': 7.4, '2024-Q1': 7.5 } },
  flags: { 'Q.SA.Y15-74.PC_ACT.FR': { '2023-Q4': '|C', '2024-Q1': 'b' } },
  updated: '2024-06-13T23:00:00+0200',
};
/** The only series of the data set with values. */
export const FRANCE: Selection = {
  seriesId: 'une_rt_q',
  dimensions: { freq: 'Q', s_adj: 'SA', age: 'Y15-74', unit: 'PC_ACT', geo: 'FR' },
};

export interface UnemploymentScene extends AsyncDisposable {
  readonly server: WireServer;
  readonly adapter: EconomicAdapter;
}

/** Starts a server that has the data set, and its adapter. */
export async function startUnemployment(options: Partial<EurostatServerOptions> = {}): Promise<UnemploymentScene> {
  const server = await startEurostatServer({ dataSets: [RATE], ...options });
  const adapter = createEurostatAdapter({ url: server.url, requestsPerMinute: 60 });
  return { server, adapter, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Opens a client without a budget. */
export function openClient() {
  return createProviderClient({ provider: 'eurostat', gate: null, random: () => 0 });
}

/** Returns whether an error is a failure of a provider with a fault. */
export function hasFault(fault: ProviderFault): (error: unknown) => boolean {
  return (error) => error instanceof ProviderError && error.fault === fault;
}
