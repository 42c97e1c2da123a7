import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instrument, published } from '../../../test/support/market/search-entries.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { createSeriesIndex } from './series-index.ts';

const letter = fc.constantFrom(...'abcdeiorstuASZéãßøκ');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
const title = fc
  .array(fc.oneof(word, fc.constantFrom('price', 'index', 'S&P', '500', 'U.S.')), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));
const keywords = fc.array(word, { maxLength: 3 });
const entry = fc.oneof(
  fc.tuple(word, title, keywords).map((fields) => instrument(...fields)),
  fc.tuple(word, title, keywords).map((fields) => published(...fields)),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 40 });
const RUNS = { seed: 7, numRuns: 300 };

function searchAll(listed: readonly ListedSeries[], query: string): readonly ListedSeries[] {
  const index = createSeriesIndex(listed);
  const { results, total } = index.search({ query, limit: 1000, offset: 0 });
  assert.equal(results.length, total);
  return results;
}

test('finds any entry by its title', () => {
  fc.assert(
    fc.property(entries, (listed) => {
      const wanted = listed.at(-1) as ListedSeries;
      const found = searchAll(listed, wanted.title);
      assert.ok(found.includes(wanted));
    }),
    RUNS,
  );
});

test('finds any entry by its title with a typing error in a word of five letters or more', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'abcdeiorstu'), minLength: 5, maxLength: 70 });
  const edit = fc.constantFrom('omit', 'add', 'replace', 'swap');
  fc.assert(
    fc.property(
      entries,
      fc.array(plain, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.nat(),
      edit,
      (others, words, w, at, how) => {
        const wanted = instrument('wanted', words.join(' '));
        const mistyped = words.with(w % words.length, withError(words[w % words.length] ?? '', at, how));
        assert.ok(searchAll([...others, wanted], mistyped.join(' ')).includes(wanted));
      },
    ),
    RUNS,
  );
});

test('pages add up to the full results, regardless of insertion order', () => {
  fc.assert(
    fc.property(entries, fc.oneof(title, fc.constant('')), fc.integer({ min: 1, max: 9 }), (listed, query, limit) => {
      const distinct = [...new Map(listed.map((item) => [JSON.stringify(item.source), item])).values()];
      const index = createSeriesIndex(distinct.toReversed());
      const all = searchAll(distinct, query);
      const paged: ListedSeries[] = [];
      for (let offset = 0; offset < all.length; offset += limit) {
        const { results, total } = index.search({ query, limit, offset });
        assert.equal(total, all.length);
        paged.push(...results);
      }
      assert.deepEqual(paged, all);
      if (query === '') assert.equal(all.length, distinct.length);
    }),
    RUNS,
  );
});

function withError(text: string, seed: number, how: string): string {
  const at = seed % (text.length - 1);
  const [before, here, next, after] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
  if (how === 'omit') return `${before}${next}${after}`;
  if (how === 'add') return `${before}${here}x${next}${after}`;
  if (how === 'replace') return `${before}x${next}${after}`;
  return `${before}${next}${here}${after}`;
}
