import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from './parse-query.ts';

test('looks up words, chunks and pairs of chunks, each for the words that it covers', () => {
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

test('allows more typing errors in longer words and none in numbers', () => {
  const edits = parseQuery('gdp rate america inflation 20240131')
    .lookups.slice(0, 5)
    .map((lookup) => lookup.edits);
  assert.deepEqual(edits, [0, 1, 1, 2, 0]);
});

test('uses the first sixteen different words of a query', () => {
  const many = parseQuery(Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' '));
  assert.equal(many.words, 16);
  assert.ok(many.lookups.length <= 32);
  const repeated = parseQuery('a b '.repeat(5000));
  assert.equal(repeated.words, 2);
  assert.ok(repeated.lookups.length <= 32);
});
