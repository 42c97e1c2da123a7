import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeScope, joinWords } from './words.ts';

const ALL = { mode: 'all' as const, ids: [] };
const NONE = { mode: 'none' as const, ids: [] };
const chosen = (...ids: string[]) => ({ mode: 'selected' as const, ids });

test('describes each resource scope, and an empty list as none', () => {
  assert.equal(describeScope({ csv: ALL, forecasts: ALL }), 'All files and forecasts');
  assert.equal(describeScope({ csv: NONE, forecasts: NONE }), 'No files and no forecasts');
  assert.equal(describeScope({ csv: chosen('a'), forecasts: chosen('b', 'c') }), '1 file, 2 forecasts');
  assert.equal(describeScope({ csv: chosen(), forecasts: ALL }), 'No files, all forecasts');
});

test('joins the parts of a sentence', () => {
  assert.deepEqual([joinWords([]), joinWords(['a']), joinWords(['a', 'b', 'c'])], ['', 'a', 'a, b and c']);
});
