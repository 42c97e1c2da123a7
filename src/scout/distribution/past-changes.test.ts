import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProbability } from '../from-forecast/read-probability.ts';
import { computePastShare } from './past-changes.ts';

/** 101 rows that rise by one each. The changes over one step fall from 1% to 0.5%. */
const RISING = Float64Array.from({ length: 101 }, (_, i) => 100 + i);

test('counts past changes above the required one, plus one yes and one no', () => {
  const past = { values: RISING, steps: 1 };
  assert.equal(computePastShare(past, 200, false), 101 / 102, 'every step rose');
  // Above 0.8% are 100 -> 101 up to 124 -> 125, which is 0.806%; 125 -> 126 is 0.8%.
  assert.equal(computePastShare(past, 200 * 1.00801, false), 25 / 102 + 1 / 102);
  assert.equal(computePastShare(past, 220, false), 1 / 102, 'no step rose by a tenth, but it is not impossible');
});

test('counts a window that reaches the threshold exactly when inclusive', () => {
  const values = Float64Array.from({ length: 120 }, () => 50);
  assert.equal(computePastShare({ values, steps: 1 }, 50, false), 1 / 121);
  assert.equal(computePastShare({ values, steps: 1 }, 50, true), 120 / 121);
});

test('returns null for too few windows and for values that are not prices', () => {
  assert.equal(computePastShare({ values: RISING, steps: 2 }, 200, false), null);
  const values = Float64Array.from({ length: 629 + 63 }, () => 50);
  assert.equal(computePastShare({ values, steps: 63 }, 50, false), null, 'ten windows per step');
  assert.ok(computePastShare({ values: [...values, 50], steps: 63 }, 50, false));
  for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(computePastShare({ values: RISING.with(7, wrong), steps: 1 }, 200, false), null, String(wrong));
  }
});

test('averages the probability of the quantiles and the past share of prices, on either side', () => {
  const quantiles = { '0.1': 190, '0.5': 200, '0.9': 210 };
  const past = { values: RISING, steps: 1 };
  const over = readProbability(quantiles, 'gt', 200, past);
  assert.deepEqual(over, {
    probability: (0.5 + 101 / 102) / 2,
    part: 'interior',
    ensemble_probability: 0.5,
    past_share: 101 / 102,
  });
  const under = readProbability(quantiles, 'lte', 200, past);
  assert.ok(Math.abs(over.probability + under.probability - 1) < 1e-15);
  assert.deepEqual(readProbability(quantiles, 'gt', 200), {
    probability: 0.5,
    part: 'interior',
    ensemble_probability: 0.5,
    past_share: null,
  });
});

test('never gives a higher threshold a higher probability, and stays within 0 and 1', () => {
  const quantiles = { '0.1': 190, '0.5': 200, '0.9': 210 };
  let before = 1;
  for (let threshold = 100; threshold <= 400; threshold += 0.5) {
    const { probability } = readProbability(quantiles, 'gt', threshold, { values: RISING, steps: 1 });
    assert.ok(probability >= 0 && probability <= before, String(threshold));
    before = probability;
  }
});
