import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countDecimals, seriesFormat } from './series-format.ts';

test('formats all values of a series with the decimals that it has', () => {
  assert.equal(seriesFormat([188.59, 187.2])(190), '190.00');
  assert.equal(seriesFormat([1.08123, 1.0795])(1.08), '1.08000');
  assert.equal(seriesFormat([131_234, 131_500])(-131_900), '\u2212131,900');
});

test('leaves out the digits of computed values that say nothing', () => {
  assert.equal(countDecimals([44.5, -5.062356, 0.001234567]), 4);
  assert.equal(countDecimals([27.812345678]), 4);
});

test('formats missing, tiny and huge values', () => {
  const format = seriesFormat([1, Number.NaN]);
  assert.deepEqual([format(Number.NaN), format(1e20), format(0)], ['–', '1.0000e+20', '0']);
  assert.equal(countDecimals([]), 0);
});
