import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { EXAMPLES, instrument, published } from '../../../test/support/market/search-entries.ts';
import { parseQuery } from './parse-query.ts';
import { createSeriesIndex } from './series-index.ts';
import { MAX_WORD_LENGTH } from './text-words.ts';

const EVERYTHING = { query: '', limit: 1000, offset: 0 };

test('finds nothing in an empty index', () => {
  const nothing = { results: [], total: 0, isPartial: false };
  assert.deepEqual(createSeriesIndex().search(EVERYTHING), nothing);
  assert.deepEqual(createSeriesIndex().search({ ...EVERYTHING, query: 'gdp' }), nothing);
});

test('filters results and total by type before it decides whether all words match', () => {
  const index = createSeriesIndex(EXAMPLES);
  for (const query of ['', 'united states', 'index']) {
    const all = index.search({ ...EVERYTHING, query });
    const market = index.search({ ...EVERYTHING, query, types: ['market'] });
    assert.deepEqual(
      market.results,
      all.results.filter(({ source }) => source.type === 'market'),
    );
    assert.equal(market.total, market.results.length);
    assert.equal(index.search({ ...EVERYTHING, query, types: ['market', 'economic_series'] }).total, all.total);
  }
  // No instrument has both words, so one of them suffices.
  const [found] = index.search({ ...EVERYTHING, query: 'united unemployment', types: ['market'] }).results;
  assert.equal(found?.source.type, 'market');
});

test('replaces all entries, and finds the earlier ones until then', async () => {
  const index = createSeriesIndex([published('old', 'Old')]);
  const many = Array.from({ length: 5000 }, (_, i) => instrument(`S${i}`, `Company ${i}`));
  const sizes = new Set<number>();
  let done = false;
  const both = Promise.all([index.replaceAll(many), index.replaceAll([published('new', 'New')])]).then(() => {
    done = true;
  });
  let turns = 0;
  for (; !done; turns++) {
    const { total } = index.search(EVERYTHING);
    assert.equal(total, index.size);
    sizes.add(total);
    await setImmediate();
  }
  await both;
  assert.ok(turns > 2, 'the event loop continued meanwhile');
  assert.deepEqual([...sizes][0], 1, 'the old entry was found meanwhile');
  assert.ok(
    [...sizes].every((size) => size === 1 || size === 5000),
    'no search found a part of the entries',
  );
  assert.deepEqual(
    index.search(EVERYTHING).results.map(({ title }) => title),
    ['New'],
  );
});

test('returns pages that neither overlap nor skip, whatever their size', () => {
  const things = Array.from({ length: 3000 }, (_, i) => instrument(`S${i}`, `Company of ${i % 7} things`, ['price']));
  const index = createSeriesIndex(things);
  for (const query of ['', 'company', 'pri', 'things 3', 'compny nowhere']) {
    const all = index.search({ ...EVERYTHING, query, limit: 3000 });
    for (const limit of [1, 7, 500]) {
      const paged = [];
      for (let offset = 0; offset < Math.min(all.total, 200 * limit); offset += limit) {
        paged.push(...index.search({ query, limit, offset }).results);
      }
      assert.deepEqual(paged, all.results.slice(0, 200 * limit));
    }
    assert.equal(new Set(all.results).size, all.total);
    assert.deepEqual(index.search({ query, limit: 10, offset: all.total }).results, []);
    assert.deepEqual(index.search({ query, limit: 10, offset: 1e9 }).results, []);
  }
});

const words = Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' ');
for (const [kind, query] of Object.entries({
  'ten thousand letters': 'unemployment'.repeat(1000),
  'thousands of words': words,
  'one word many times': 'price '.repeat(2000),
  'dots between letters': 'a.b.'.repeat(3000),
  'characters of regular expressions': '(.*)+?[^$]{1,}|\\ (a+)+$',
  emoji: '👩‍👩‍👧🍎 🇧🇷',
  'lone surrogates': `\ud800 price\udc00 \ud83d${'\ude00'.repeat(100)}`,
  'letters that normalize to many': 'ﷺ'.repeat(2000),
  'stacked accents': `e${'\u0301'.repeat(5000)}`,
  'names of properties': '__proto__ constructor toString',
  'control characters': '\0\x01\u200b\ufeff',
})) {
  test(`bounds the work for a hostile query: ${kind}`, () => {
    const index = createSeriesIndex([...EXAMPLES, published('X', query)]);
    const { results, total } = index.search({ query, limit: 10, offset: 0 });
    assert.ok(results.length <= 10 && total <= EXAMPLES.length + 1);
    const { lookups } = parseQuery(query);
    assert.ok(lookups.length <= 32 && lookups.every(({ text }) => text.length <= MAX_WORD_LENGTH));
  });
}

test('finds nothing for a query without words', () => {
  const index = createSeriesIndex(EXAMPLES);
  assert.equal(index.search({ ...EVERYTHING, query: '%&$ 🍎' }).total, 0);
});
