import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { EXAMPLES, instrument, published } from '../../../test/support/market/search-entries.ts';
import { parseQuery } from './parse-query.ts';
import { createSeriesIndex } from './series-index.ts';
import { MAX_WORD_LENGTH } from './text-words.ts';

const EVERYTHING = { query: '', limit: 1000, offset: 0 };

test('finds nothing in an empty index', () => {
  assert.deepEqual(createSeriesIndex().search(EVERYTHING), { results: [], total: 0 });
  assert.deepEqual(createSeriesIndex().search({ ...EVERYTHING, query: 'gdp' }), { results: [], total: 0 });
});

test('filters results and total by type before it decides whether all words match', () => {
  const index = createSeriesIndex();
  index.add(EXAMPLES);
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

test('replaces an entry with the same source', async () => {
  const index = createSeriesIndex();
  index.add([published('X', 'Barley'), published('Y', 'Oats')]);
  assert.equal(index.search({ ...EVERYTHING, query: 'barley' }).total, 1);
  index.add([published('X', 'Wheat')]);
  assert.equal(index.size, 2);
  assert.equal(index.search({ ...EVERYTHING, query: 'barley' }).total, 0);
  assert.equal(index.search({ ...EVERYTHING, query: 'wheat' }).total, 1);
  await index.addAll([published('X', 'Rice')]);
  assert.deepEqual(
    index.search(EVERYTHING).results.map(({ title }) => title),
    ['Oats', 'Rice'],
  );
});

test('keeps earlier entries searchable during addAll and loses no entry that is added meanwhile', async () => {
  const index = createSeriesIndex();
  index.add([published('old', 'Old')]);
  assert.equal(index.search(EVERYTHING).total, 1);
  const many = Array.from({ length: 5000 }, (_, i) => instrument(`S${i}`, `Company ${i}`));
  let done = false;
  const both = Promise.all([index.addAll([published('new', 'New')]), index.addAll(many)]).then(() => {
    done = true;
  });
  assert.equal(index.search(EVERYTHING).total, 1);
  let between = 0;
  for (; !done; between++) {
    index.add([published(`between ${between}`, 'Between')]);
    await setImmediate();
  }
  await both;
  assert.ok(between > 1);
  assert.equal(index.search(EVERYTHING).total, 5002 + between);
  assert.equal(index.size, 5002 + between);
});

test('returns pages that neither overlap nor skip, whatever their size', () => {
  const index = createSeriesIndex();
  index.add(Array.from({ length: 3000 }, (_, i) => instrument(`S${i}`, `Company of ${i % 7} things`, ['price'])));
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
    const index = createSeriesIndex();
    index.add([...EXAMPLES, published('X', query)]);
    const { results, total } = index.search({ query, limit: 10, offset: 0 });
    assert.ok(results.length <= 10 && total <= EXAMPLES.length + 1);
    const { lookups } = parseQuery(query);
    assert.ok(lookups.length <= 32 && lookups.every(({ text }) => text.length <= MAX_WORD_LENGTH));
  });
}

test('finds nothing for a query without words', () => {
  const index = createSeriesIndex();
  index.add(EXAMPLES);
  assert.equal(index.search({ ...EVERYTHING, query: '%&$ 🍎' }).total, 0);
});
