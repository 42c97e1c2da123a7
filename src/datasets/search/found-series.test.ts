import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { published } from '../../../test/support/market/search-entries.ts';
import { FIXED_KEYS } from '../../../test/support/platform/fixed-keys.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { FoundSeries } from './found-series.ts';
import { readSearchPage } from './search-page.ts';
import { createSeriesSearch } from './search-series.ts';

type Reply = Awaited<ReturnType<FoundSeries['find']>>;

const UNCHANGED: Reply = { isChanged: false, unavailable: [] };
const CHANGED: Reply = { isChanged: true, unavailable: [] };

const LISTED = [
  published('B', 'Barley'),
  ...Array.from({ length: 12 }, (_, i) => published(`W${i}`, `Wheat price in region ${i}`)),
];

/** The found series of a database, and counts of how processes use them. */
function createStore(find: (query: string, signal?: AbortSignal) => Promise<Reply> | Reply = () => UNCHANGED) {
  const store = {
    entries: [] as ListedSeries[],
    number: 0,
    calls: { list: 0, version: 0 },
    queries: [] as string[],
    add(...entries: ListedSeries[]): Reply {
      store.entries = [...store.entries, ...entries];
      store.number++;
      return CHANGED;
    },
    async list() {
      store.calls.list++;
      return store.entries;
    },
    async version() {
      store.calls.version++;
      return String(store.number);
    },
    async find(query: string, signal?: AbortSignal) {
      store.queries.push(query);
      return find(query, signal);
    },
  };
  return store;
}

function openSearch(found: FoundSeries, options: { now?: () => number; findWithinMs?: number } = {}) {
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) };
  const source = { type: 'economic_series' as const, list: async () => LISTED };
  const { search } = createSeriesSearch([source], log, { now: () => 0, found, ...options });
  const cursorKey = FIXED_KEYS;
  return {
    lines,
    search: (query: string, more: object = {}) => search({ query, limit: 20, offset: 0, ...more }),
    page: (query: string, limit: number, cursor: string | null = null, signal?: AbortSignal) =>
      readSearchPage(
        { search, cursorKey },
        { isAccount: false, query, limit, ...(cursor !== null && { cursor }) },
        signal,
      ),
  };
}

function titles({ results }: { readonly results: readonly ListedSeries[] }): string[] {
  return results.map(({ title }) => title);
}

test('passes a query with fewer than ten results to the providers, and finds what they found', async () => {
  const store = createStore(() => ({ ...store.add(published('F', 'Spelt price')), unavailable: ['fred'] }));
  const { search, lines } = openSearch(store);
  const page = await search('spelt');
  assert.deepEqual(titles(page), ['Spelt price']);
  assert.deepEqual([page.total, page.unavailable, page.foundVersion], [1, ['fred'], '1']);
  assert.deepEqual(store.queries, ['spelt']);
  assert.deepEqual(lines, []);
});

test('passes no other query to the providers', async () => {
  const store = createStore(() => ({ isChanged: true, unavailable: ['fred'] }));
  const { search } = openSearch(store);
  for (const [query, more] of [
    ['wheat', {}],
    ['', {}],
    [' \n', {}],
    ['%&', {}],
    ['spelt', { types: ['market'] }],
    ['spelt', { offset: 1 }],
    ['spelt', { offset: 20, foundVersion: '0' }],
  ] as const) {
    const { unavailable } = await search(query, more);
    assert.deepEqual([unavailable, store.queries], [[], []], query);
  }
  await search('spelt', { types: ['market', 'economic_series'] });
  await search('barley');
  assert.deepEqual(store.queries, ['spelt', 'barley']);
});

test('counts found series among the ten results', async () => {
  const store = createStore();
  store.add(...Array.from({ length: 9 }, (_, i) => published(`F${i}`, `Spelt ${i}`)));
  const { search } = openSearch(store);
  await search('spelt');
  assert.deepEqual(store.queries, ['spelt']);
  store.add(published('F9', 'Spelt 9'));
  const later = openSearch(store);
  assert.equal((await later.search('spelt')).total, 10);
  assert.deepEqual(store.queries, ['spelt']);
});

test('answers without the providers if they fail', async () => {
  for (const find of [
    () => Promise.reject(new Error('broken')),
    () => {
      throw new Error('broken');
    },
  ]) {
    const store = createStore(find);
    const { search, lines } = openSearch({ ...store, find });
    const page = await search('barley');
    assert.deepEqual([page.total, page.unavailable, lines.length], [1, [], 1]);
  }
});

test('answers at the deadline if the providers do not, and cancels their work', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const late = Promise.withResolvers<Reply>();
  const store = createStore((_, signal) => {
    signals.push(signal);
    return late.promise;
  });
  const { search, lines } = openSearch(store, { findWithinMs: 1 });
  const page = await search('barley');
  assert.deepEqual([page.total, page.unavailable, lines.length], [1, [], 1]);
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true],
  );
  late.reject(new Error('aborted'));
  await setImmediate();
  assert.equal(lines.length, 1, 'an error after the deadline is expected');
});

test('cancels the work of the providers if the caller no longer waits', async () => {
  const call = new AbortController();
  const store = createStore(
    (_, signal) =>
      new Promise<Reply>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        call.abort();
      }),
  );
  const { page, lines } = openSearch(store, { findWithinMs: 1_000_000 });
  assert.deepEqual((await page('barley', 5, null, call.signal)).results.length, 1);
  assert.deepEqual(lines, []);
});

test('repeats the search once if the found series changed in name only', async () => {
  const store = createStore(() => CHANGED);
  const { search } = openSearch(store);
  assert.equal((await search('barley')).total, 1);
  assert.deepEqual([store.queries.length, store.calls.list], [1, 1]);
});

test('answers concurrent searches, each with what the providers found for it', async () => {
  const allArrived = Promise.withResolvers<void>();
  const store = createStore(async (query) => {
    if (store.queries.length === 30) allArrived.resolve();
    await allArrived.promise;
    return store.add(published(query, `${query} price`));
  });
  const { search } = openSearch(store);
  const queries = Array.from({ length: 30 }, (_, i) => `grain${i}`);
  const pages = await Promise.all(queries.map((query) => search(query)));
  for (const [i, page] of pages.entries()) assert.ok(titles(page).includes(`grain${i} price`), `grain${i}`);
  assert.ok(store.calls.list < 10, 'searches share the reads of the list');
  assert.equal((await search('grain7', { offset: 1 })).foundVersion, '30');
});

test('finds what another process found, after the time between two checks', async () => {
  let now = 0;
  const store = createStore();
  const { search } = openSearch(store, { now: () => now });
  await search('spelt');
  store.add(published('F', 'Spelt price'));
  now = 4_999;
  assert.equal((await search('spelt')).total, 0);
  now = 5_000;
  for (let turn = 0; turn < 100 && (await search('spelt')).total === 0; turn++) await setImmediate();
  assert.equal((await search('spelt')).total, 1);
  assert.equal(store.calls.list, 2);
});

test('searches without found series that cannot be read, and tries again later', async () => {
  let now = 0;
  const store = createStore();
  store.add(published('F', 'Spelt price'));
  let isBroken = true;
  const broken: FoundSeries = {
    ...store,
    list: async () => (isBroken ? Promise.reject(new Error('no connection')) : store.list()),
  };
  const { search, lines } = openSearch(broken, { now: () => now });
  const first = await search('spelt');
  assert.deepEqual([first.total, first.foundVersion, lines.length], [0, null, 1]);
  isBroken = false;
  now = 29_999;
  assert.equal((await search('spelt')).total, 0);
  now = 30_000;
  assert.equal((await search('spelt')).total, 1);
});

test('reads the list again if it changes between its version and its content', async () => {
  const store = createStore();
  let changes = 1;
  const changing: FoundSeries = {
    ...store,
    async list() {
      const { entries } = store;
      if (changes-- > 0) store.add(published(`F${store.number}`, 'Spelt price'));
      return entries;
    },
  };
  const { search } = openSearch(changing);
  const page = await search('spelt');
  assert.deepEqual([page.total, page.foundVersion], [1, '1']);
  changes = Number.POSITIVE_INFINITY;
  const { foundVersion } = await openSearch(changing).search('spelt');
  assert.notEqual(foundVersion, null, 'a list that always changes is read a few times only');
});
