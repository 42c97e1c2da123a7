import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log10 } from './logarithm.ts';

test('returns the logarithm of numbers of every size', () => {
  for (let exponent = -300; exponent <= 300; exponent += 7) {
    for (const digits of [1, 1.4999, 1.5001, 2, 3.7, 9.99]) {
      const value = Number(`${digits}e${exponent}`);
      const difference = Math.abs(log10(value) - Math.log10(value));
      assert.ok(difference <= 1e-13, `${value}: ${difference}`);
    }
  }
});

test('has no value for zero, negative and infinite numbers', () => {
  for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) assert.ok(Number.isNaN(log10(value)));
});
