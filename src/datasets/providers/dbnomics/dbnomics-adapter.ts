import type { EconomicAdapter } from '../provider.ts';
import { parseDbnomicsId } from './dbnomics-id.ts';
import { DBNOMICS } from './dbnomics-reply.ts';
import { readDatasets, searchDatasets } from './list-datasets.ts';
import { requestSeries } from './read-series.ts';
import { requestStructure } from './read-structure.ts';

export interface DbnomicsSettings {
  /** The base address, with the version of the API. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/**
 * Creates the adapter of DBnomics, which stores copies of the data of other publishers. A series id is
 * PROVIDER/DATASET with the dimensions of the data set, or PROVIDER/DATASET/SERIES.
 */
export function createDbnomicsAdapter({ url, requestsPerMinute }: DbnomicsSettings): EconomicAdapter {
  const base = url.replace(/\/$/, '');
  return {
    id: DBNOMICS,
    name: 'DBnomics',
    requestsPerMinute,
    license: {
      name: 'Open Database License (ODbL); the terms of the publisher apply to its data',
      url: 'https://docs.db.nomics.world/legal-terms/',
    },
    isKeyless: true,
    wellKnown: { seriesId: 'AMECO/ZUTN/DNK.1.0.0.0.ZUTN', dimensions: {} },
    async readStructure(seriesId, http) {
      const id = parseDbnomicsId(seriesId);
      return id === null ? null : requestStructure(base, id, http);
    },
    async readSeries({ seriesId, dimensions }, http) {
      const id = parseDbnomicsId(seriesId);
      const found = id === null ? null : await requestSeries(base, id, dimensions, http);
      return found?.series ?? null;
    },
    readListing: (http) => readDatasets(base, http),
    search: (query, limit, http) => searchDatasets(base, query, limit, http),
  };
}
