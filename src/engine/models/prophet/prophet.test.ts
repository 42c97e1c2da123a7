import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prophetRuntime } from '../../../../test/support/compute/prophet-runtime.ts';
import { hourlySeries, monthlySeries } from '../../../../test/support/snapshots/series.ts';
import { sessionsBetween } from '../../../calendar/index.ts';
import { ModelError, type Series } from '../../model.ts';
import { createRandom } from '../../numerics/random.ts';
import { createProphet } from './prophet.ts';

const prophet = createProphet(prophetRuntime);
const QUANTILES = [0.1, 0.5, 0.9];

function salesLike(n: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, (_, t) =>
    Math.exp(5 + 0.01 * t + 0.3 * Math.sin((2 * Math.PI * t) / 12) + 0.05 * (random.uniform() - 0.5)),
  );
}

test('continues trend and season of a clean series', () => {
  const all = salesLike(84);
  const forecast = prophet.fit(monthlySeries(all.slice(0, 72), 12), { seed: 1 })(12, QUANTILES);
  const errors = forecast.map((row, h) => Math.abs((row[1] as number) / (all[72 + h] as number) - 1));
  assert.ok(errors.reduce((a, b) => a + b) / 12 < 0.05, `mean error ${errors}`);
});

test('gives the same digits for the same seed, and the same median for another seed', () => {
  const series = monthlySeries(salesLike(48), 12);
  const once = prophet.fit(series, { seed: 7 })(6, QUANTILES);
  assert.deepEqual(prophet.fit(series, { seed: 7 })(6, QUANTILES), once);
  const other = prophet.fit(series, { seed: 8 })(6, QUANTILES);
  other.forEach((row, h) => {
    assert.ok(Math.abs((row[1] as number) / (once[h]?.[1] as number) - 1) < 1e-6);
  });
});

test('does not depend on the scale', () => {
  const values = salesLike(48);
  const at = (factor: number) => {
    const scaled = values.map((v) => v * factor);
    return prophet.fit(monthlySeries(scaled, 12), { seed: 1 })(6, QUANTILES);
  };
  const plain = at(1);
  for (const factor of [1e-12, 1e12]) {
    at(factor).forEach((row, h) => {
      row.forEach((value, i) => {
        assert.ok(Math.abs(value / factor / (plain[h]?.[i] as number) - 1) < 1e-3);
      });
    });
  }
});

test('leaves gaps out and accepts negative values', () => {
  const values = salesLike(60).map((v, i) => (i % 7 === 3 ? Number.NaN : v - 250));
  const rows = prophet.fit(monthlySeries(values, 12), { seed: 1 })(12, QUANTILES);
  for (const row of rows) assert.ok(row.every(Number.isFinite));
});

test('repeats a constant', () => {
  const values = new Float64Array(20).fill(3);
  const rows = prophet.fit(monthlySeries(values, 12), { seed: 1 })(2, QUANTILES);
  assert.deepEqual(
    rows.map((row) => [...row]),
    [
      [3, 3, 3],
      [3, 3, 3],
    ],
  );
});

test('refuses two rows, values out of range and aborted fits', () => {
  const refusal = (values: number[], aborted = false) => {
    try {
      prophet.fit(monthlySeries(values), { seed: 1, signal: { aborted } });
    } catch (error) {
      return error instanceof ModelError ? error.code : error;
    }
    return null;
  };
  assert.equal(refusal([1, 2]), 'INSUFFICIENT_HISTORY');
  assert.equal(refusal([1, 2, 1e300]), 'INVALID_SERIES');
  assert.equal(refusal([1, 2, 3], true), 'ABORTED');
});

test('uses only the last rows of fifty thousand', () => {
  const random = createRandom(1);
  const values = Float64Array.from({ length: 50_000 }, () => 100 + random.uniform());
  const rows = prophet.fit(hourlySeries(values), { seed: 1 })(3, QUANTILES);
  assert.ok(rows.every((row) => row.every((value) => value > 99 && value < 102)));
});

test('refuses a series that the calendar cannot continue', () => {
  const code = (expected: string) => (error: unknown) => error instanceof ModelError && error.code === expected;
  const series = monthlySeries([1, 3, 2, 5, 4, 6]);
  const forecast = prophet.fit(series, { seed: 1 });
  // December 2200 is the last supported month.
  assert.equal(forecast(201 * 12 - 6, [0.5]).length, 2406);
  assert.throws(() => forecast(201 * 12 - 5, [0.5]), code('UNSUPPORTED_HORIZON'));
  const misdated = { ...series, times: series.times.map((time) => time + 1) };
  assert.throws(() => prophet.fit(misdated, { seed: 1 }), code('INVALID_SERIES'));
});

test('forecasts the sessions of an exchange', () => {
  // High on Mondays, from a Monday to a Friday; the exchange is closed on the next Monday.
  const times = sessionsBetween(Date.UTC(2024, 0, 8), Date.UTC(2024, 4, 24));
  const values = times.map((time) => (new Date(time).getUTCDay() === 1 ? 200 : 100));
  const series: Series = { values, times, cadence: { frequency: '1D', kind: 'exchange' }, season: 5 };
  const medians = prophet
    .fit(series, { seed: 1 })(9, [0.5])
    .map((row) => Math.round(row[0] as number));
  assert.deepEqual(
    medians.map((median) => median > 150),
    [false, false, false, false, true, false, false, false, false],
  );
});

test('refuses three rows, which a trend fits exactly', () => {
  assert.throws(() => prophet.fit(monthlySeries([1, -1, 1]), { seed: 1 }), { code: 'INSUFFICIENT_HISTORY' });
  assert.equal(prophet.fit(monthlySeries([1, -1, 1, 2]), { seed: 1 })(2, QUANTILES).length, 2);
});
