import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from './similar-terms.ts';

test('counts one edit for each omitted, added, replaced or swapped letter', () => {
  assert.equal(editDistance('inflation', 'inflation', 2), 0);
  assert.equal(editDistance('inflaton', 'inflation', 2), 1);
  assert.equal(editDistance('inflattion', 'inflation', 2), 1);
  assert.equal(editDistance('inflasion', 'inflation', 2), 1);
  assert.equal(editDistance('inflatoin', 'inflation', 2), 1);
  assert.equal(editDistance('niflatoin', 'inflation', 2), 2);
  assert.equal(editDistance('', 'ab', 2), 2);
});

test('returns one more than the maximum for any larger distance', () => {
  assert.equal(editDistance('abcd', 'wxyz', 2), 3);
  assert.equal(editDistance('price', 'unemployment', 1), 2);
});

test('agrees with the full dynamic programming table', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 8 }), (a, b, max) => {
      assert.equal(editDistance(a, b, max), Math.min(fullTable(a, b), max + 1));
    }),
    { seed: 1, numRuns: 2000 },
  );
});

function fullTable(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : 99;
      (table[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped);
    }
  }
  return at(a.length, b.length);
}
