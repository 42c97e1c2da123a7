import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFrequency, formatProvider } from './words.ts';

test('names providers and frequencies as people do', () => {
  assert.deepEqual(['worldbank', 'acme', 'constructor'].map(formatProvider), ['World Bank', 'acme', 'constructor']);
  assert.deepEqual(['1ME', 'varies', 'half-yearly', ''].map(formatFrequency), [
    'Monthly',
    'Several frequencies',
    'Half-yearly',
    null,
  ]);
});
