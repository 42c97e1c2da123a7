import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { depthOf } from './read-body.ts';

test('measures the depth of the deepest value', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['1', 0],
    ['{}', 1],
    ['[[],[[]],[]]', 3],
    ['{"a":{"b":[1]},"c":2}', 3],
    ['"[[[["', 0],
    ['["\\"[["]', 1],
    ['["\\\\"]', 1],
    ['["\\\\",[]]', 2],
    ['{"[":"]"}', 1],
  ];
  for (const [text, depth] of cases) assert.equal(depthOf(text), depth, text);
});

test('agrees with a parser on any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      assert.equal(depthOf(JSON.stringify(value)), parsedDepth(value));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('measures invalid JSON without recursion', () => {
  assert.equal(depthOf('['.repeat(2_000_000)), 2_000_000);
  assert.equal(depthOf(']'.repeat(100)), 0);
  assert.equal(depthOf('"\\'), 0);
});

function parsedDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(parsedDepth));
}
