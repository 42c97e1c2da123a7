import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeScope, formatSize, joinWords } from './words.ts';

const ALL = { mode: 'all' as const, ids: [] };
const NONE = { mode: 'none' as const, ids: [] };
const chosen = (...ids: string[]) => ({ mode: 'selected' as const, ids });

test('describes each resource scope, and an empty list as none', () => {
  assert.equal(describeScope({ csv: ALL, forecasts: ALL }), 'All files and forecasts');
  assert.equal(describeScope({ csv: NONE, forecasts: NONE }), 'No files and no forecasts');
  assert.equal(describeScope({ csv: chosen('a'), forecasts: chosen('b', 'c') }), '1 file, 2 forecasts');
  assert.equal(describeScope({ csv: chosen(), forecasts: ALL }), 'No files, all forecasts');
});

test('formats sizes with the unit that keeps them short', () => {
  const sizes = [0, 1, 999, 1000, 9_960, 51_200_000, 1_234_000_000].map(formatSize);
  assert.deepEqual(sizes, ['0 bytes', '1 byte', '999 bytes', '1.0 kB', '10.0 kB', '51 MB', '1.2 GB']);
});

test('joins the parts of a sentence', () => {
  assert.deepEqual([joinWords([]), joinWords(['a']), joinWords(['a', 'b', 'c'])], ['', 'a', 'a, b and c']);
});
