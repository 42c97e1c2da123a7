import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanOutsideText, cleanResult } from './outside-text.ts';

test('a text of other people becomes one short line without hidden characters', () => {
  const hidden = '\u202e\u2066\u200b\u{e0041}\ufe0f\ufeff\ue000\u115f\u3164\uffa0\u2800\u034f\u17b4\u{1d159}\ufffe';
  assert.equal(cleanOutsideText(`A${hidden}\u0000\r\n\u2028B\u0085`), 'A B');
  assert.equal(cleanOutsideText('\u{1f600}'.repeat(200)).length, 200);
  assert.equal(cleanOutsideText(`x${'\u{1f600}'.repeat(200)}`), `x${'\u{1f600}'.repeat(99)}`);
});

test('every text of a result is cleaned, except tables and handles', () => {
  const text = `${'x'.repeat(150)}\n${'y'.repeat(150)}`;
  const cleaned = cleanResult({ deep: [{ title: text }], rows_csv: text, next_step: text });
  assert.equal(cleaned.deep[0]?.title.length, 200);
  assert.equal(cleaned.rows_csv, text);
  assert.equal(cleaned.next_step, text.replace('\n', ' '));
});
