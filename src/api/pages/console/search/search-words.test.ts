import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMissingWords, formatSpan, joinNames, splitMatches } from './search-words.ts';

test('names spans and lists as people do', () => {
  const span = { start: '1913-01-31T00:00:00.000Z', end: '2018-05-31T00:00:00.000Z' };
  assert.equal(formatSpan(span, '1ME'), 'Jan 1913 to May 2018');
  assert.equal(formatSpan(span, 'varies'), 'Jan 31, 1913 to May 31, 2018');
  assert.deepEqual([[], ['A'], ['A', 'B', 'C']].map(joinNames), ['', 'A', 'A, B and C']);
});

test('marks the beginnings of words that the query contains', () => {
  const marked = (name: string, query: string) =>
    splitMatches(name, query)
      .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
      .join('');
  assert.equal(marked('Apple Inc. common stock', 'appl STOCK'), '[Appl]e Inc. common [stock]');
  assert.equal(marked('S&P 500 index', 's&p 500'), '[S]&[P] [500] index');
  assert.equal(marked('Pineapple', 'apple'), 'Pineapple');
  assert.equal(marked('Éducation <b>', 'educ'), '[Éduc]ation <b>');
  assert.equal(marked('ﬁnance', 'fin'), '[ﬁnance]', 'a ligature has more letters than characters');
  assert.equal(marked('Apple', ''), 'Apple');
});

test('finds the words of a query that no name contains', () => {
  const names = ['Apple Inc. common stock', 'AAPL'];
  assert.deepEqual(findMissingWords('aplle Stock aap', names), ['aplle']);
  assert.deepEqual(findMissingWords('zürich zürich', names), ['zürich']);
  assert.deepEqual(findMissingWords('–– &', names), []);
});
