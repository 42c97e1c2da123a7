import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from './canonical-json.ts';

test('sorts keys and leaves undefined fields out', () => {
  assert.equal(
    canonicalJson({ b: [1, { d: null, c: 'ü' }], a: undefined, aa: -0 }),
    '{"aa":0,"b":[1,{"c":"ü","d":null}]}',
  );
});

test('refuses numbers that JSON cannot write', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => canonicalJson([value]), RangeError);
});
