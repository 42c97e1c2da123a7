import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLES, instrument, published } from '../../../test/support/market/search-entries.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { createSeriesIndex, type SeriesIndex } from './series-index.ts';

const COUNTRIES = {
  field: 'country',
  values: [
    { value: 'FRA', label: 'France' },
    { value: 'EMU', label: 'Euro area' },
  ],
};
const word = fc.constantFrom(
  ...'price prices index rate euro area france gdp GDP FRA a b S&P 500 ägypten %'.split(' '),
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const entry = fc
  .tuple(fc.boolean(), word, text, fc.array(word, { maxLength: 2 }), fc.boolean())
  .map(([isInstrument, code, title, keywords, hasMembers]) =>
    isInstrument
      ? instrument(code, title, keywords)
      : { ...published(code, title, keywords), ...(hasMembers && { members: COUNTRIES }) },
  );
const entries = fc.uniqueArray(entry, { maxLength: 40, selector: ({ source }) => JSON.stringify(source) });
const RUNS = { seed: 3, numRuns: 150 };

async function indexBoth(listed: readonly ListedSeries[], found: readonly ListedSeries[]): Promise<SeriesIndex> {
  const index = createSeriesIndex(listed);
  await index.replaceFound({ entries: found, version: '1' });
  return index;
}

test('ranks the entries of both indexes as one index of all entries does, page by page', async () => {
  const query = fc.oneof(text, fc.constant(''));
  const types = fc.constantFrom(undefined, ['market' as const], ['economic_series' as const]);
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      query,
      types,
      fc.integer({ min: 1, max: 7 }),
      async (all, isFound, query, types, limit) => {
        const request = { query, ...(types && { types }) };
        const expected = createSeriesIndex(all).search({ ...request, limit: 100, offset: 0 });
        const index = await indexBoth(
          all.filter((_, i) => !isFound[i]),
          all.filter((_, i) => isFound[i]),
        );
        const paged: ListedSeries[] = [];
        for (let offset = 0; offset <= expected.total; offset += limit) {
          const { results, total } = index.search({ ...request, limit, offset });
          assert.equal(total, expected.total);
          assert.ok(results.length === limit || offset + limit > total);
          paged.push(...results);
        }
        assert.deepEqual(paged, expected.results);
      },
    ),
    RUNS,
  );
});

test('leaves out found entries whose source is listed, whatever the order of its fields', async () => {
  const listed = [...EXAMPLES, published('%%', 'Without a word'), published('a', 'Unemployment rate, Mars')];
  const again = listed.map(({ source, ...rest }) => ({
    ...rest,
    source: Object.fromEntries(Object.entries(source).toReversed()) as typeof source,
    title: 'Found again',
  }));
  const other = published('%', 'Found again as well');
  const index = await indexBoth(listed, [...again, other]);
  assert.equal(index.size, listed.length + 1);
  assert.equal(index.search({ query: '', limit: 100, offset: 0 }).total, listed.length + 1);
  assert.deepEqual(index.search({ query: 'found again', limit: 9, offset: 0 }).results, [other]);
  assert.equal(index.search({ query: 'unrate', limit: 1, offset: 0 }).results[0]?.title, EXAMPLES[12]?.title);

  await index.replaceAll([]);
  assert.equal(index.search({ query: 'found again', limit: 9, offset: 0 }).total, again.length + 1);
  await index.replaceAll(listed);
  assert.equal(index.search({ query: 'found again', limit: 9, offset: 0 }).total, 1);
});

test('returns entries with some words only if neither index has one with all words', async () => {
  const index = await indexBoth([published('a', 'Wheat exports')], [published('b', 'Rye exports')]);
  const titles = (query: string) => index.search({ query, limit: 9, offset: 0 }).results.map(({ title }) => title);
  assert.deepEqual(titles('rye exports'), ['Rye exports']);
  assert.deepEqual(titles('wheat exports'), ['Wheat exports']);
  assert.deepEqual(titles('rye wheat'), ['Rye exports', 'Wheat exports']);
});

test('counts the series of an alias in both indexes before it treats the alias as a topic', async () => {
  const companies = Array.from({ length: 65 }, (_, i) => instrument(`S${i}`, `A company ${i}`, ['NASDAQ']));
  const composite = instrument('^IXIC', 'Nasdaq composite');
  for (const split of [0, 30, 65]) {
    const index = await indexBoth([...companies.slice(0, split), composite], companies.slice(split));
    assert.equal(index.search({ query: 'nasdaq', limit: 1, offset: 0 }).results[0], composite);
  }
});

test('replaces found entries without waiting for a large index, and keeps them afterwards', async () => {
  const index = createSeriesIndex([published('old', 'Old')]);
  assert.equal(index.foundVersion, null);
  const many = Array.from({ length: 5000 }, (_, i) => instrument(`S${i}`, `Company ${i}`));
  let isLargeDone = false;
  const large = index.replaceAll(many).then(() => {
    isLargeDone = true;
  });
  await index.replaceFound({ entries: [published('x', 'Found')], version: '1' });
  assert.deepEqual([isLargeDone, index.size, index.foundVersion], [false, 2, '1']);
  const both = Promise.all([
    index.replaceFound({ entries: [published('y', 'Found')], version: '2' }),
    index.replaceFound({ entries: [published('x', 'Found'), published('S0', 'Found')], version: '3' }),
  ]);
  await Promise.all([large, both]);
  assert.deepEqual([index.size, index.foundVersion], [5002, '3']);
});
