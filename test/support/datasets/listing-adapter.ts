import type { EconomicAdapter, ListedEntry } from '../../../src/datasets/providers/provider.ts';

/** An adapter that lists what a test gives it, without a network. */
export interface ListingAdapter extends EconomicAdapter {
  /** The listing; a test can change it. */
  entries: readonly ListedEntry[];
  /** What `search` finds; a test can change it. */
  hits: readonly ListedEntry[];
  /** The queries that `search` received. */
  readonly queries: string[];
}

/** Returns an entry of a monthly index. */
export function listedEntry(seriesId: string, more: Partial<ListedEntry> = {}): ListedEntry {
  return {
    seriesId,
    title: `Series ${seriesId}`,
    keywords: [],
    frequency: '1ME',
    units: 'Index',
    span: { first: Date.UTC(2000, 0, 1), last: Date.UTC(2024, 0, 1) },
    lastUpdate: '2024-02-01T00:00:00.000Z',
    ...more,
  };
}

/** Creates an adapter of a provider without a key. */
export function createListingAdapter(
  entries: readonly ListedEntry[],
  more: Partial<EconomicAdapter> = {},
): ListingAdapter {
  const adapter: ListingAdapter = {
    id: 'dbnomics',
    name: 'DBnomics',
    requestsPerMinute: 60,
    license: { name: 'test license', url: null },
    isKeyless: true,
    wellKnown: { seriesId: 'A', dimensions: {} },
    entries,
    hits: [],
    queries: [],
    readStructure: notExpected,
    readSeries: notExpected,
    async *readListing() {
      for (let from = 0; from < adapter.entries.length; from += 250) yield adapter.entries.slice(from, from + 250);
    },
    search: async (query) => {
      adapter.queries.push(query);
      return adapter.hits;
    },
    ...more,
  };
  return adapter;
}

async function notExpected(): Promise<never> {
  throw new Error('Only the listing and the search are expected.');
}
