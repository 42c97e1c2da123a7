import { type ProviderClient, ProviderError } from '../../../platform/index.ts';
import type { EconomicAdapter, ListedEntry, RawSeries, Selection } from '../provider.ts';
import { EUROSTAT, type EurostatId, isField, isValue, parseEurostatId } from './eurostat-ids.ts';
import { parseContents } from './parse-contents.ts';
import type { Cube } from './read-cube.ts';
import { readObservations } from './read-observations.ts';
import { matchKey, readDimensions, readStructure } from './read-structure.ts';
import { requestCube } from './request-cube.ts';

export interface EurostatOptions {
  /** The address of the API without a slash at its end. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/** The table of contents has about two MiB. */
const MAX_CONTENTS_BYTES = 16 * 1024 * 1024;
const CONTENTS_MS = 60_000;
const BATCH_ENTRIES = 250;

/**
 * Creates the adapter of Eurostat: data sets and their observations from the API Statistics in JSON-stat, and the
 * listing from the table of contents.
 *
 * @example
 * const eurostat = createEurostatAdapter({ url: 'https://ec.europa.eu/eurostat/api/dissemination', requestsPerMinute: 60 });
 */
export function createEurostatAdapter({ url, requestsPerMinute }: EurostatOptions): EconomicAdapter {
  return {
    id: EUROSTAT,
    name: 'Eurostat',
    requestsPerMinute,
    license: { name: 'CC BY 4.0', url: 'https://ec.europa.eu/eurostat/about-us/policies/copyright' },
    isKeyless: true,
    // The gross domestic product of France, in a data set that has kept its dimensions since 2014.
    wellKnown: { seriesId: 'nama_10_gdp/A.CP_MEUR.B1GQ.FR', dimensions: {} },
    readStructure: async (seriesId, http) => {
      const id = parseEurostatId(seriesId);
      return id === null ? null : readStructure(url, id, http);
    },
    readSeries: (selection, http) => readSeries(url, selection, http),
    readListing: (http) => readListing(url, http),
  };
}

async function readSeries(url: string, selection: Selection, http: ProviderClient): Promise<RawSeries | null> {
  const id = parseEurostatId(selection.seriesId);
  const chosen = id === null ? null : await chooseValues(url, id, selection, http);
  // Without values, the request would be for the whole data set.
  if (id === null || chosen === null || chosen.size === 0) return null;
  const read = (cube: Cube) => readObservations(cube, chosen);
  const series = await requestCube({ url, code: id.code, parameters: chosen, read }, http);
  if (series === 'not_found' || series === 'no_results') return null;
  if (series === 'rejected') throw new ProviderError(EUROSTAT, 'REJECTED');
  if (series === 'too_large') throw new ProviderError(EUROSTAT, 'TOO_LARGE', 'one series');
  return series;
}

/** Returns the chosen value by field; null if the data set cannot have such a series. */
async function chooseValues(
  url: string,
  { code, key }: EurostatId,
  { dimensions }: Selection,
  http: ProviderClient,
): Promise<ReadonlyMap<string, string> | null> {
  if (key === null) {
    const entries = Object.entries(dimensions);
    return entries.every(([field, value]) => isField(field) && isValue(value)) ? new Map(entries) : null;
  }
  // The API Statistics names the dimensions, and a key has only their values.
  const cube = await readDimensions(url, code, http);
  return cube === null ? null : matchKey(cube, key);
}

async function* readListing(url: string, http: ProviderClient): AsyncGenerator<readonly ListedEntry[]> {
  const limits = { maxBytes: MAX_CONTENTS_BYTES, attemptMs: CONTENTS_MS };
  const entries = await http.getText(`${url}/catalogue/toc/txt?lang=en`, { ...limits, accept: parseContents });
  for (let from = 0; from < entries.length; from += BATCH_ENTRIES) yield entries.slice(from, from + BATCH_ENTRIES);
}
