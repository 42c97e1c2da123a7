import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startingCalibration } from '../weighting/spread-calibration.ts';
import { choosePoolingSpace, poolRows } from './pool.ts';

const LEVELS = [0.05, 0.1, 0.5, 0.9, 0.95];
const SAME = startingCalibration(1);
const TARGET = choosePoolingSpace('none', Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), 1).atOrigin(3);
const shares = (...weights: number[]) => LEVELS.map(() => Float64Array.from(weights));

/** A pretrained model without the outer levels, and a wide one with all of them. */
const NARROW = [Float64Array.of(Number.NaN, 9, 10, 12, Number.NaN)];
const WIDE = [Float64Array.of(-20, -5, 14, 30, 50)];
const SPREAD = {
  weights: [
    [0, 1],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
  ].map((row) => Float64Array.from(row)),
  anchors: [1, 1, 2, 3, 3],
};

test('averages medians, and takes the distances from the model of the spread', () => {
  const [row] = poolRows([NARROW, WIDE], { weights: shares(0.5, 0.5), spread: SPREAD }, LEVELS, TARGET, SAME);
  assert.deepEqual(row?.slice(1, 4), Float64Array.of(11, 12, 14));
});

test('continues the tails of the model of the spread in proportion to those of the others', () => {
  const [row] = poolRows([NARROW, WIDE], { weights: shares(1, 0), spread: SPREAD }, LEVELS, TARGET, SAME);
  // The wide model is at 34 and 19 below its median, and at 36 and 16 above it.
  assert.ok(Math.abs((row?.[0] as number) - (10 - 34 / 19)) < 1e-12, `${row}`);
  assert.ok(Math.abs((row?.[4] as number) - (10 + 2 * (36 / 16))) < 1e-12, `${row}`);
  const flat = [Float64Array.of(14, 14, 14, 14, 14)];
  const [normal] = poolRows([NARROW, flat], { weights: shares(1, 0), spread: SPREAD }, LEVELS, TARGET, SAME);
  assert.ok(Math.abs((normal?.[4] as number) - (10 + 2 * 1.2834)) < 1e-3, `${normal}`);
  const far = [Float64Array.of(-1e9, 13, 14, 15, 1e9)];
  const [cut] = poolRows([NARROW, far], { weights: shares(1, 0), spread: SPREAD }, LEVELS, TARGET, SAME);
  assert.ok((cut?.[4] as number) < 10 + 2 * 4, `${cut}`);
});

test('moves no quantile across one that is closer to the median, and keeps the median', () => {
  const crossed = [Float64Array.of(8, 11, 10, 9, 12)];
  const [row] = poolRows([crossed], { weights: shares(1), spread: null }, LEVELS, TARGET, SAME);
  assert.deepEqual(row, Float64Array.of(8, 10, 10, 10, 12));
});

test('quantiles of counts that lie around zero are zero', () => {
  const counts = Float64Array.of(0, 3, 0, 0, 1, 0);
  const space = choosePoolingSpace('auto', counts, counts, 1).atOrigin(counts.length);
  const near = [Float64Array.of(-0.4, 0.001, 0.01, 0.9, 3)];
  const pool = { weights: shares(1), spread: null };
  assert.deepEqual(poolRows([near], pool, LEVELS, space, SAME)[0], Float64Array.of(0, 0, 0, 0.9, 3));
  for (const others of [Float64Array.of(0, -3, 0, 0, 1, 0), Float64Array.of(0, ...new Float64Array(30).fill(2))]) {
    const target = choosePoolingSpace('none', others, others, 1).atOrigin(others.length);
    const [row] = poolRows([near], pool, LEVELS, target, SAME);
    assert.ok((row?.[0] as number) < -0.3 && (row?.[1] as number) > 0, 'negative values, or hardly any zero');
  }
});
