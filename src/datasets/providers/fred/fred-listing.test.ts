import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FredSeries, startFredServer } from '../../../../test/support/datasets/fred-server.ts';
import { sendJson } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient } from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';
import { createFredAdapter } from './fred-adapter.ts';

const KEY = 'abcdefghijklmnopqrstuvwxyz123456';

const GDP: FredSeries = {
  id: 'GDP',
  title: 'Gross Domestic Product',
  frequency: 'Q',
  units: 'Billions of Dollars',
  seasonalAdjustment: 'Seasonally Adjusted Annual Rate',
  lastUpdated: '2024-03-28 07:51:02-05',
  popularity: 93,
  revisions: [
    { date: '2023-10-01', value: 1, published: '2024-01-25' },
    { date: '2024-01-01', value: 2, published: '2024-04-25' },
  ],
};

async function open(series: readonly FredSeries[]) {
  const server = await startFredServer({ key: KEY, series, clock: () => Date.UTC(2024, 6, 1, 17) });
  const adapter = createFredAdapter({ key: KEY, url: server.url, requestsPerMinute: 120 });
  const http = createProviderClient({ provider: 'fred', gate: null });
  return {
    server,
    readListing: async () => {
      const batches: (readonly ListedEntry[])[] = [];
      for await (const batch of adapter.readListing(http)) batches.push(batch);
      return batches;
    },
    search: async (query: string, limit: number) => {
      const found = (await adapter.search?.(query, limit, http)) ?? [];
      return found.map(({ seriesId }) => seriesId);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns series with falling popularity, so that the listing has them in this order. */
function popularSeries(count: number, change: Partial<FredSeries> = {}): FredSeries[] {
  return Array.from({ length: count }, (_, i) => ({
    ...GDP,
    id: `SERIES${i}`,
    popularity: count - i,
    ...change,
  }));
}

test('lists the most popular series of countries in batches, page by page', async () => {
  const states = [{ ...GDP, id: 'CAUR', tags: ['state', 'usa'], popularity: 5_000 }];
  await using fred = await open([...popularSeries(2_300), ...states, { ...GDP, id: 'TWOWEEKS', frequency: 'BW' }]);
  const batches = await fred.readListing();
  assert.ok(batches.every(({ length }) => length > 0 && length <= 250));
  const ids = batches.flat().map(({ seriesId }) => seriesId);
  assert.deepEqual(
    ids,
    popularSeries(2_300).map(({ id }) => id),
  );
  assert.deepEqual(batches[0]?.[0], {
    seriesId: 'SERIES0',
    title: 'Gross Domestic Product',
    keywords: ['Seasonally Adjusted Annual Rate'],
    frequency: '1QE',
    units: 'Billions of Dollars',
    span: { first: Date.UTC(2023, 9, 1), last: Date.UTC(2024, 0, 1) },
    lastUpdate: '2024-03-28T12:51:02.000Z',
  });
  assert.deepEqual(
    fred.server.requests.map(({ query }) => query.offset),
    ['0', '1000', '2000'],
  );
});

test('lists a series once and at most ten pages', async () => {
  await using fred = await open([]);
  const record = { title: 'GDP', frequency_short: 'Q' };
  const page = (offset: number) => {
    const seriess = Array.from({ length: 1_000 }, (_, i) => ({ ...record, id: `S${offset - (offset && 10) + i}` }));
    return sendJson({ offset, seriess: [...seriess.slice(1), seriess[1]] });
  };
  for (let i = 0; i < 11; i++) fred.server.script.push(page(i * 1_000));
  const entries = (await fred.readListing()).flat();
  const ids = entries.map(({ seriesId }) => seriesId);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(fred.server.requests.length, 10);
  fred.server.script.length = 0;
  for (const reply of [{ offset: 1_000, seriess: [] }, { offset: 0 }, { offset: 0, seriess: [{ id: 'GDP' }] }, []]) {
    fred.server.script.push(sendJson(reply));
    await assert.rejects(fred.readListing(), { fault: 'MALFORMED' });
  }
});

test('searches with the words of the query', async () => {
  const others = popularSeries(30, { title: 'Gross National Product' });
  await using fred = await open([GDP, ...others, { ...GDP, id: 'TWOWEEKS', frequency: 'BW' }]);
  const { search } = fred;
  assert.deepEqual(await search(' domestic product ', 20), ['GDP']);
  const { path, query } = fred.server.requests[0] ?? {};
  assert.equal(path, '/fred/series/search');
  assert.deepEqual(query, {
    search_text: 'domestic product',
    order_by: 'search_rank',
    limit: '20',
    file_type: 'json',
    api_key: KEY,
  });
  assert.deepEqual(await search('national product', 3), ['SERIES0', 'SERIES1', 'SERIES2']);
  assert.deepEqual(await search('a&limit=1 ü', 20), []);
  const { length } = fred.server.requests;
  assert.deepEqual(await search('  ', 20), []);
  assert.equal(fred.server.requests.length, length);
  const [first, second] = ['H', 'M'].map((code, i) => ({ id: `S${i}`, title: 'GDP', frequency_short: code }));
  fred.server.script.push(sendJson({ seriess: [first, second] }));
  assert.deepEqual(await search('gdp', 20), ['S1'], 'a series whose frequency is not known is left out');
  fred.server.script.push(
    sendJson({ seriess: popularSeries(5).map(({ id, title }) => ({ id, title, frequency_short: 'Q' })) }),
  );
  assert.equal((await search('gdp', 2)).length, 2);
});
