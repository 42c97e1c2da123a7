import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildSimilarTerms, editDistance, prepareDistance } from './similar-terms.ts';
import { runSteps } from './steps.ts';

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

test('the distance by bits agrees with the one by rows', () => {
  const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', 'κ'), maxLength });
  const [short, long] = [word(9), word(40)];
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(short, short), fc.tuple(long, long)),
      fc.integer({ min: 0, max: 2 }),
      ([a, b], max) => {
        assert.equal(Math.min(prepareDistance(a, max)(b), max + 1), editDistance(a, b, max));
      },
    ),
    { seed: 1, numRuns: 3000 },
  );
});

test('finds every term within the distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 40 }),
      word,
      fc.integer({ min: 1, max: 2 }),
      (terms, wanted, edits) => {
        const found = new Map<string, number>();
        runSteps(buildSimilarTerms(terms)).find(wanted, edits, (term, distance) =>
          found.set(terms[term] ?? '', distance),
        );
        const expected = terms
          .map((term) => [term, fullTable(wanted, term)] as const)
          .filter(([, far]) => far <= edits);
        assert.deepEqual([...found].sort(), expected.map((pair) => [...pair]).sort());
      },
    ),
    { seed: 1, numRuns: 500 },
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
