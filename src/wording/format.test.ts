import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProbability, formatShare, formatSize, periodFormat, valueFormat } from './format.ts';

test('formats the values of a series with decimals for a hundredth of their range', () => {
  assert.equal(valueFormat([2_553.2, 3_106.7])(2_867.49), '2,867');
  assert.equal(valueFormat([118.1, 123.2])(-120.2249), '\u2212120.22');
  assert.equal(valueFormat([0.00012, 0.00034])(0.000217), '0.000217');
  assert.equal(valueFormat([5, 5])(5), '5.00');
  assert.equal(valueFormat([0, 0])(0), '0.00');
  assert.equal(valueFormat([])(1), '1.00');
  assert.equal(valueFormat([1e300, -1e300])(1e300), '1.0000e+300');
  assert.equal(valueFormat([1, 2])(Number.NaN), '–');
  assert.equal(valueFormat([1, 9])(-0.001), '0.00', 'no sign without a digit');
});

test('formats periods as people call them', () => {
  const date = new Date('2026-06-30T14:30:00Z');
  assert.equal(periodFormat('1D')(date), 'Jun 30, 2026');
  assert.equal(periodFormat('15min')(date), 'Jun 30, 2026, 14:30 UTC');
  assert.equal(periodFormat('1ME')(date), 'Jun 2026');
  assert.equal(periodFormat('1QE')(date), 'Q2 2026');
  assert.equal(periodFormat('1YE')(date), '2026');
});

test('formats shares, and shows no uncertain probability as certain', () => {
  assert.equal(formatShare(0.8), '80%');
  assert.equal(formatShare(0.975), '97.5%');
  assert.deepEqual([0, 0.0002, 0.5, 0.9995, 1].map(formatProbability), ['0%', '<0.1%', '50%', '>99.9%', '100%']);
});

test('formats sizes in the units of the limits', () => {
  const sizes = [0, 1, 1_023, 1_024, 1_572_864, 200 * 1024 ** 2, 3 * 1024 ** 3, 5_000 * 1024 ** 4].map(formatSize);
  const words = ['0 bytes', '1 byte', '1,023 bytes', '1 KiB', '1.5 MiB', '200 MiB', '3 GiB', '5,000 TiB'];
  assert.deepEqual(sizes, words);
});
