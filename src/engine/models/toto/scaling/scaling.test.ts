import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedRange, restoreKnots } from './knots.ts';
import { backfillShortPatches, patchStatistics } from './patch-statistics.ts';
import { cutContext } from './patched-row.ts';
import { writeTokens } from './tokens.ts';
import { chooseNormalizingUnits, fromUnits, toUnits } from './units.ts';

const { NaN: GAP } = Number;

test('cuts a context to whole patches and at most 4,096 periods, dropping the oldest', () => {
  const count = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i);
  assert.deepEqual([...cutContext(count(11), 4).values], [3, 4, 5, 6, 7, 8, 9, 10]);
  const long = cutContext(count(10_000), 32).values;
  assert.deepEqual([long.length, long[0]], [4096, 5904]);
  assert.equal(cutContext(count(10_000), 48).values.length, 4080);
});

test('pads a past shorter than a patch on the left, and fills gaps from the left', () => {
  const { values, observed } = cutContext(Float64Array.of(GAP, 5, GAP, 7, GAP), 8);
  assert.deepEqual([...values], [5, 5, 5, 5, 5, 5, 7, 7]);
  assert.deepEqual([...observed], [0, 0, 0, 0, 1, 0, 1, 0]);
  assert.ok(!cutContext(new Float64Array(0), 8).observed.includes(1));
});

test('computes the statistics of a patch from all observations up to its end', () => {
  const row = { values: Float64Array.of(1, 99, 3, 5, 7, 99), observed: Uint8Array.of(1, 0, 1, 1, 0, 0) };
  const { location, scale } = patchStatistics(row, 2);
  assert.deepEqual([...location], [1, 3, 3]);
  assert.deepEqual([...scale], [1e-6, 2, 2]);
});

test('gives short patches at the start the statistics of the first observations', () => {
  const row = { values: Float64Array.of(1, 9, 3, 5, 7, 7), observed: Uint8Array.of(1, 0, 1, 1, 1, 1) };
  const statistics = patchStatistics(row, 2);
  const { location, scale } = { location: statistics.location.slice(), scale: statistics.scale.slice() };
  backfillShortPatches(row, statistics, 2, 0);
  assert.deepEqual(statistics, { location, scale });
  backfillShortPatches(row, statistics, 2, 3);
  assert.deepEqual([...statistics.location], [3, 3, location[2]]);
  assert.deepEqual([...statistics.scale], [2, 2, scale[2]]);
});

test('writes scaled values and unobserved periods to tokens', () => {
  const row = { values: Float64Array.of(1, 2, 3, 4), observed: Uint8Array.of(1, 0, 1, 1) };
  const statistics = { location: Float64Array.of(0, 2), scale: Float64Array.of(1, 2) };
  const tokens = writeTokens(row, statistics, 2, 2);
  const expected = [Math.asinh(1), 0, 0, 1, Math.asinh(0.5), Math.asinh(1), 0, 0].map(Math.fround);
  assert.deepEqual([...tokens], expected);
});

test('restores knots ascending, within the range and finite', () => {
  const raw = new Float32Array(18);
  raw.set([9, 8, 7, 6, 5, 4, 3, 2, 1].map((value) => Math.asinh(value)));
  raw.set([2000, -2000, 0, 0, 0, 0, 0, 0, 0], 9);
  const [first, second] = restoreKnots(raw, 10, 2, undefined) as [Float64Array, Float64Array];
  first.forEach((value, i) => {
    assert.ok(Math.abs(value - (12 + 2 * i)) < 1e-5);
  });
  // The infinite ones became what their knots have in the other period: 10 + 2 · 9 and 10 + 2 · 8.
  assert.ok(Math.abs((second[8] as number) - 28) < 1e-5 && Math.abs((second[7] as number) - 26) < 1e-5);
  const [capped] = restoreKnots(raw, 10, 2, { low: 15, high: 20 }) as [Float64Array];
  assert.deepEqual([capped[0], capped[8]], [15, 20]);
});

test('extends the observed range by a number of scales', () => {
  const row = { values: Float64Array.of(1, 50, 3), observed: Uint8Array.of(1, 0, 1) };
  assert.deepEqual(allowedRange(row, 2, 10), { low: -19, high: 23 });
});

test('chooses units that cover a range near 1 and convert back exactly', () => {
  for (const values of [
    [5e-324, 0],
    [1.7e308, -1.7e308],
    [1e9, 1e9 + 1e-6],
    [3, 4, 9],
    [1e-300, 2e-300],
  ]) {
    const row = { values: Float64Array.from(values), observed: new Uint8Array(values.length).fill(1) };
    const units = chooseNormalizingUnits(row);
    assert.ok(units !== null);
    const own = toUnits(row, units).values;
    const spread = Math.max(...own) - Math.min(...own);
    assert.ok(spread >= 1 && spread <= 4, `${values}: ${spread}`);
    own.forEach((value, i) => {
      assert.equal(fromUnits(value, units), values[i]);
    });
  }
  assert.equal(chooseNormalizingUnits({ values: Float64Array.of(7, 7), observed: Uint8Array.of(1, 1) }), null);
  assert.equal(chooseNormalizingUnits({ values: Float64Array.of(7, 9), observed: Uint8Array.of(1, 0) }), null);
});
