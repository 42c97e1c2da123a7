import type { EconomicAdapter } from '../provider.ts';
import { ECB } from './ecb-codes.ts';
import { readSeries, readSeriesStructure } from './ecb-series.ts';
import { parseSeriesId } from './ecb-series-id.ts';
import { readFlowStructure, readFlows } from './ecb-structure.ts';

export interface EcbSettings {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/**
 * Creates the adapter of the ECB Data Portal: SDMX 2.1 over REST. A series id is a data flow with dimensions, such as
 * `EXR`, or a data flow with the key of one series, such as `EXR/D.USD.EUR.SP00.A`.
 */
export function createEcbAdapter({ url, requestsPerMinute }: EcbSettings): EconomicAdapter {
  return {
    id: ECB,
    name: 'European Central Bank',
    requestsPerMinute,
    license: {
      name: 'ECB reuse policy',
      url: 'https://www.ecb.europa.eu/stats/ecb_statistics/governance_and_quality_framework/html/usage_policy.en.html',
    },
    isKeyless: true,
    wellKnown: { seriesId: 'EXR/D.USD.EUR.SP00.A', dimensions: {} },
    async readStructure(seriesId, http) {
      const id = parseSeriesId(seriesId);
      if (id === null) return null;
      return id.key === null ? readFlowStructure(url, id.flow, http) : readSeriesStructure(url, id.flow, id.key, http);
    },
    readSeries: (selection, http) => readSeries(url, selection, http),
    readListing: (http) => readFlows(url, http),
  };
}
