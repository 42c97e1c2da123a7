import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prophetRuntime } from '../../../../test/support/prophet-runtime.ts';
import { ModelError } from '../../model.ts';
import { createRandom } from '../../numerics/random.ts';
import { createProphet } from './index.ts';

const prophet = createProphet(prophetRuntime);
const monthly = (n: number) => Float64Array.from({ length: n }, (_, i) => Date.UTC(2015, i, 1));
const QUANTILES = [0.1, 0.5, 0.9];

function salesLike(n: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, (_, t) =>
    Math.exp(5 + 0.01 * t + 0.3 * Math.sin((2 * Math.PI * t) / 12) + 0.05 * (random.uniform() - 0.5)),
  );
}

test('continues trend and season of a clean series', () => {
  const all = salesLike(84);
  const forecast = prophet.fit({ values: all.slice(0, 72), times: monthly(72), season: 12 }, { seed: 1 })(
    12,
    QUANTILES,
  );
  const errors = forecast.map((row, h) => Math.abs((row[1] as number) / (all[72 + h] as number) - 1));
  assert.ok(errors.reduce((a, b) => a + b) / 12 < 0.05, `mean error ${errors}`);
});

test('gives the same digits for the same seed, and the same median for another', () => {
  const series = { values: salesLike(48), times: monthly(48), season: 12 };
  const once = prophet.fit(series, { seed: 7 })(6, QUANTILES);
  assert.deepEqual(prophet.fit(series, { seed: 7 })(6, QUANTILES), once);
  const other = prophet.fit(series, { seed: 8 })(6, QUANTILES);
  other.forEach((row, h) => {
    assert.ok(Math.abs((row[1] as number) / (once[h]?.[1] as number) - 1) < 1e-6);
  });
});

test('does not depend on the scale', () => {
  const values = salesLike(48);
  const at = (factor: number) =>
    prophet.fit({ values: values.map((v) => v * factor), times: monthly(48), season: 12 }, { seed: 1 })(6, QUANTILES);
  const plain = at(1);
  for (const factor of [1e-12, 1e12]) {
    at(factor).forEach((row, h) => {
      row.forEach((value, i) => {
        assert.ok(Math.abs(value / factor / (plain[h]?.[i] as number) - 1) < 1e-3);
      });
    });
  }
});

test('leaves gaps out and takes negative values', () => {
  const values = salesLike(60).map((v, i) => (i % 7 === 3 ? Number.NaN : v - 250));
  const rows = prophet.fit({ values, times: monthly(60), season: 12 }, { seed: 1 })(12, QUANTILES);
  for (const row of rows) assert.ok(row.every(Number.isFinite));
});

test('a constant stays what it is', () => {
  const values = new Float64Array(20).fill(3);
  const rows = prophet.fit({ values, times: monthly(20), season: 12 }, { seed: 1 })(2, QUANTILES);
  assert.deepEqual(
    rows.map((row) => [...row]),
    [
      [3, 3, 3],
      [3, 3, 3],
    ],
  );
});

test('refuses by name: two rows, values out of range, nobody waiting', () => {
  const refusal = (values: number[], aborted = false) => {
    try {
      prophet.fit(
        { values: Float64Array.from(values), times: monthly(values.length), season: 1 },
        { seed: 1, signal: { aborted } },
      );
    } catch (error) {
      return error instanceof ModelError ? error.code : error;
    }
    return null;
  };
  assert.equal(refusal([1, 2]), 'INSUFFICIENT_HISTORY');
  assert.equal(refusal([1, 2, 1e300]), 'INVALID_SERIES');
  assert.equal(refusal([1, 2, 3], true), 'ABORTED');
});

test('fifty thousand points cost no more than the last ones', () => {
  const random = createRandom(1);
  const values = Float64Array.from({ length: 50_000 }, () => 100 + random.uniform());
  const times = Float64Array.from(values, (_, i) => i * 3_600_000);
  const rows = prophet.fit({ values, times, season: 1 }, { seed: 1 })(3, QUANTILES);
  assert.ok(rows.every((row) => row.every((value) => value > 99 && value < 102)));
});
