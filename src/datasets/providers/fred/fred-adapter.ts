import { revealSecret, type SecretValue } from '../../../platform/index.ts';
import type { EconomicAdapter } from '../provider.ts';
import { readListing, searchSeries } from './fred-listing.ts';
import { readSeries } from './fred-observations.ts';
import { FRED, type FredSession } from './fred-session.ts';
import { readStructure } from './fred-structure.ts';

export interface FredSettings {
  readonly key: SecretValue;
  /** The address of the API, such as https://api.stlouisfed.org. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/** Creates the adapter of FRED and of its archive ALFRED: series of the United States and many others, with vintages. */
export function createFredAdapter({ key, url, requestsPerMinute }: FredSettings): EconomicAdapter {
  const session: FredSession = {
    url: url.replace(/\/+$/, ''),
    get key() {
      return revealSecret(key);
    },
  };
  return {
    id: FRED,
    name: 'FRED',
    requestsPerMinute,
    license: { name: 'FRED terms of use', url: 'https://fred.stlouisfed.org/docs/api/terms_of_use.html' },
    vintageTimeZone: 'America/Chicago',
    isKeyless: false,
    wellKnown: { seriesId: 'GDP', dimensions: {} },
    readStructure: (seriesId, http) => readStructure(session, seriesId, http),
    readSeries: (selection, http) => readSeries(session, selection, http),
    readListing: (http) => readListing(session, http),
    search: (query, limit, http) => searchSeries(session, query, limit, http),
  };
}
