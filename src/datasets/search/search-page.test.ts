import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { published } from '../../../test/support/market/search-entries.ts';
import { FIXED_KEYS } from '../../../test/support/platform/fixed-keys.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { FoundSeries } from './found-series.ts';
import { readSearchPage, type SearchContext } from './search-page.ts';
import { createSeriesSearch } from './search-series.ts';

const LISTED = Array.from({ length: 15 }, (_, i) => published(`L${i}`, `Wheat ${String.fromCharCode(97 + i)} price`));

function createStore(entries: readonly ListedSeries[] = []) {
  const store = {
    entries,
    number: 1,
    queries: 0,
    list: async () => store.entries,
    version: async () => `v${store.number}`,
    async find() {
      store.queries++;
      return { isChanged: false, unavailable: ['dbnomics'] };
    },
  };
  return store;
}

function openProcess(found?: FoundSeries, listed: readonly ListedSeries[] = LISTED): SearchContext {
  const source = { type: 'economic_series' as const, list: async () => listed };
  const log = { warn: (...line: unknown[]) => assert.fail(String(line)) };
  return { ...createSeriesSearch([source], log, { now: () => 0, found }), cursorKey: FIXED_KEYS };
}

/** Reads all pages, each from the next process. */
async function readAll(processes: readonly SearchContext[], query: string, limit: number, isAccount = false) {
  let cursor: string | null | undefined;
  const results: ListedSeries[] = [];
  for (let page = 0; cursor !== null; page++) {
    const process = processes[page % processes.length] as SearchContext;
    const read = await readSearchPage(process, { query, limit, isAccount, ...(cursor && { cursor }) });
    results.push(...read.results);
    cursor = read.nextCursor;
  }
  return results;
}

test('returns the same pages from a process that has not indexed the latest found series', async () => {
  const store = createStore();
  const [behind, ahead] = [openProcess(store), openProcess(store)];
  const first = await readSearchPage(behind, { isAccount: false, query: 'wheat', limit: 20 });
  assert.deepEqual([first.results.length, first.nextCursor, first.unavailable], [15, null, []]);
  store.entries = Array.from({ length: 10 }, (_, i) => published(`F${i}`, `Wheat ${i} price`));
  store.number++;
  const all = await readAll([ahead], 'wheat', 100);
  assert.equal(all.length, 25);
  assert.deepEqual(await readAll([ahead, behind], 'wheat', 3), all);
  assert.equal((await readSearchPage(behind, { isAccount: false, query: 'wheat', limit: 100 })).results.length, 25);
});

test('answers a cursor whose version of the found series no longer exists', async () => {
  const store = createStore([published('F', 'Wheat')]);
  const process = openProcess(store);
  const { nextCursor } = await readSearchPage(process, { isAccount: false, query: 'wheat', limit: 10 });
  store.entries = [...store.entries, published('G', 'Wheat again')];
  store.number++;
  for (const other of [openProcess(store), openProcess()]) {
    const { results } = await readSearchPage(other, {
      isAccount: false,
      query: 'wheat',
      limit: 10,
      cursor: nextCursor ?? '',
    });
    assert.ok(results.length >= 5);
  }
});

test('accepts cursors of processes without found series, and refuses other queries', async () => {
  const { nextCursor } = await readSearchPage(openProcess(), { isAccount: false, query: 'wheat', limit: 10 });
  const store = createStore();
  const process = openProcess(store);
  const cursor = nextCursor ?? '';
  assert.equal(
    (await readSearchPage(process, { isAccount: false, query: 'wheat', limit: 10, cursor })).results.length,
    5,
  );
  await assert.rejects(readSearchPage(process, { isAccount: false, query: 'rye', limit: 10, cursor }), /cursor/);
  assert.equal(store.queries, 0);
});

test('names unavailable providers on the first page only', async () => {
  const store = createStore([published('F1', 'Rye'), published('F2', 'Rye bread')]);
  const process = openProcess(store);
  const first = await readSearchPage(process, { isAccount: false, query: 'rye', limit: 1 });
  assert.deepEqual(first.unavailable, ['dbnomics']);
  const second = await readSearchPage(process, {
    isAccount: false,
    query: 'rye',
    limit: 1,
    cursor: first.nextCursor ?? '',
  });
  assert.deepEqual([second.unavailable, second.nextCursor, store.queries], [[], null, 1]);
});

test('a local search asks no provider and returns the same series and cursors', async () => {
  const store = createStore([published('F1', 'Rye'), published('F2', 'Rye bread')]);
  store.find = () => assert.fail('A provider was asked.');
  const process = openProcess(store);
  const local = { isAccount: false, local: true };
  for (const query of ['rye', 'unknown words', '']) {
    const { unavailable } = await readSearchPage(process, { ...local, query, limit: 5 });
    assert.deepEqual(unavailable, []);
  }
  const first = await readSearchPage(process, { ...local, query: 'rye', limit: 1 });
  assert.deepEqual(first.results, [published('F1', 'Rye')]);
  const request = { isAccount: false, query: 'rye', limit: 1, cursor: first.nextCursor ?? '' };
  for (const page of [
    await readSearchPage(process, request),
    await readSearchPage(process, { ...request, ...local }),
  ]) {
    assert.deepEqual([page.results, page.nextCursor], [[published('F2', 'Rye bread')], null]);
  }
});

test('pages of several processes add up to all results, without repetition or omission', async () => {
  const title = fc.array(fc.constantFrom('wheat', 'rye', 'price', 'euro'), { minLength: 1, maxLength: 3 });
  const entries = fc.array(
    title.map((words) => words.join(' ')),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(entries, fc.nat(30), title, fc.integer({ min: 1, max: 9 }), async (texts, split, query, limit) => {
      const series = texts.map((text, i) => published(`s${i}`, text));
      const listed = series.slice(0, split);
      // The second process indexes nothing before the first page of the other one.
      const store = createStore([...series.slice(split), ...listed.slice(0, 3)]);
      const processes = [openProcess(store, listed), openProcess(store, listed)];
      const paged = await readAll(processes, query.join(' '), limit);
      const expected = await readAll([openProcess(undefined, series)], query.join(' '), 100);
      assert.deepEqual(paged, expected);
    }),
    { seed: 5, numRuns: 60 },
  );
});

test('a caller without an account gets the pages that it would get if the series for accounts did not exist', async () => {
  const words = fc.constantFrom('wheat', 'rye', 'price', 'GDP');
  const title = fc.array(words, { minLength: 1, maxLength: 3 });
  const series = fc.array(fc.record({ title, isHidden: fc.boolean() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(series, title, fc.integer({ min: 1, max: 4 }), async (made, query, limit) => {
      const all = made.map(({ title, isHidden }, i): ListedSeries => {
        const entry = published(`s${i}`, title.join(' '), ['GDP']);
        return isHidden ? { ...entry, audience: 'accounts' } : entry;
      });
      const visible = all.filter(({ audience }) => audience === undefined);
      for (const text of [query.join(' '), '']) {
        const expected = await readAll([openProcess(undefined, visible)], text, 100);
        assert.deepEqual(await readAll([openProcess(undefined, all)], text, limit), expected);
      }
      const listed = await readAll([openProcess(undefined, all)], '', limit, true);
      assert.equal(listed.length, all.length);
    }),
    { seed: 9, numRuns: 60 },
  );
});

test('series for accounts do not make an alias of other series a topic', async () => {
  const symbol = published('s0', 'Gross product', ['GDP']);
  const other = published('s1', 'GDP report');
  const hidden = Array.from(
    { length: 100 },
    (_, i): ListedSeries => ({ ...published(`h${i}`, `Table ${i}`, ['GDP']), audience: 'accounts' }),
  );
  const process = openProcess(undefined, [symbol, other, ...hidden]);
  assert.deepEqual(await readAll([process], 'gdp', 10), [symbol, other]);
  assert.equal((await readAll([process], 'gdp', 50, true)).length, 102);
});

test('refuses a cursor that another kind of caller got', async () => {
  const process = openProcess();
  for (const isAccount of [true, false]) {
    const { nextCursor } = await readSearchPage(process, { query: 'wheat', limit: 10, isAccount });
    const cursor = nextCursor ?? '';
    assert.equal((await readSearchPage(process, { query: 'wheat', limit: 10, isAccount, cursor })).results.length, 5);
    await assert.rejects(
      readSearchPage(process, { query: 'wheat', limit: 10, isAccount: !isAccount, cursor }),
      /cursor/,
    );
  }
});
