import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunksOf, foldText, joinWords } from './words.ts';

test('case and accents do not matter', () => {
  assert.equal(foldText('São Tomé, TÜRKİYE, Łódź, Straße, Ærø'), 'sao tome, turkiye, lodz, strasse, aero');
});

test('punctuation divides a chunk into words', () => {
  assert.deepEqual(chunksOf(' S&P 500 (^GSPC) '), [['s', 'p'], ['500'], ['gspc']]);
  assert.deepEqual(chunksOf('s and p'), [['s', 'p']]);
  assert.deepEqual(chunksOf('goods and services'), [['goods'], ['and'], ['services']]);
});

test('words are cut at 64 letters', () => {
  assert.equal(chunksOf('a'.repeat(1000))[0]?.[0]?.length, 64);
  assert.equal(joinWords(['a'.repeat(60), 'b'.repeat(60)]).length, 64);
});

test('text without words has no chunks, however odd', () => {
  for (const text of ['', ' \t\n', '.*+?^$(){}|[]\\', '🍎👩‍👩‍👧', '\ud800 \udc00'])
    assert.deepEqual(chunksOf(text), []);
});
