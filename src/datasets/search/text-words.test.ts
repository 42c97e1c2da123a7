import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, joinWords, splitChunks } from './text-words.ts';

test('removes case and accents', () => {
  assert.equal(foldText('São Tomé, TÜRKİYE, Łódź, Straße, Ærø'), 'sao tome, turkiye, lodz, strasse, aero');
});

test('divides a chunk into words at punctuation', () => {
  assert.deepEqual(splitChunks(' S&P 500 (^GSPC) '), [['s', 'p'], ['500'], ['gspc']]);
  assert.deepEqual(splitChunks('s and p'), [['s', 'p']]);
  assert.deepEqual(splitChunks('goods and services'), [['goods'], ['and'], ['services']]);
});

test('cuts words off at 64 letters', () => {
  assert.equal(splitChunks('a'.repeat(1000))[0]?.[0]?.length, 64);
  assert.equal(joinWords(['a'.repeat(60), 'b'.repeat(60)]).length, 64);
});

test('finds no chunks in text without words', () => {
  for (const text of ['', ' \t\n', '.*+?^$(){}|[]\\', '🍎👩‍👩‍👧', '\ud800 \udc00'])
    assert.deepEqual(splitChunks(text), []);
});
