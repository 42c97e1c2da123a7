import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './parse-query.ts';

test('words, chunks and pairs of chunks are looked up, each for the words it covers', () => {
  const { words, lookups } = parseQuery('S&P 500');
  assert.equal(words, 3);
  assert.deepEqual(
    lookups.map(({ text, covers, isLast }) => [text, [...covers], isLast]),
    [
      ['s', [0], false],
      ['p', [1], false],
      ['500', [2], true],
      ['sp', [0, 1], false],
      ['sp500', [0, 1, 2], true],
    ],
  );
});

test('longer words may have more typing errors, numbers none', () => {
  const edits = parseQuery('gdp rate america inflation 20240131')
    .lookups.slice(0, 5)
    .map((lookup) => lookup.edits);
  assert.deepEqual(edits, [0, 1, 1, 2, 0]);
});

test('a query is cut to sixteen different words', () => {
  const many = parseQuery(Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' '));
  assert.equal(many.words, 16);
  assert.ok(many.lookups.length <= 32);
  const repeated = parseQuery('a b '.repeat(5000));
  assert.equal(repeated.words, 2);
  assert.ok(repeated.lookups.length <= 32);
});
