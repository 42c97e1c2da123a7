import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import { pinballLoss } from '../../metrics.ts';
import { ModelError } from '../../model.ts';
import { createRandom } from '../../numerics/random.ts';
import { seasonalNaive } from '../seasonal-naive.ts';
import { intermittent } from './intermittent.ts';

const LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9];

function forecast(values: ArrayLike<number>, horizon: number, quantiles = LEVELS): number[][] {
  return intermittent
    .fit(hourlySeries(values), { seed: 1 })(horizon, quantiles)
    .map((row) => [...row]);
}

/** Demands of 1 to 4 in the hours from 8 to 17, each hour with this probability. */
function workingHours(n: number, probability: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, (_, t) => {
    const isDemand = random.uniform() < probability;
    const size = 1 + Math.floor(4 * random.uniform());
    return t % 24 >= 8 && t % 24 < 18 && isDemand ? size : 0;
  });
}

test('quantiles below the probability of no demand are exactly zero, those above are sizes that occurred', () => {
  const random = createRandom(3);
  const values = Array.from({ length: 400 }, () => (random.uniform() < 0.3 ? 5 : 0));
  for (const row of forecast(values, 10, [0.1, 0.6, 0.8, 0.95])) assert.deepEqual(row, [0, 0, 5, 5]);
});

test('a demand that depends on the hour is forecast by hour', () => {
  const values = workingHours(30 * 24, 0.8, 5);
  forecast(values, 24).forEach((row, hour) => {
    if (hour >= 8 && hour < 18) assert.ok((row[2] as number) >= 1, `${row} at ${hour}`);
    else assert.deepEqual(row, [0, 0, 0, 0, 0], `at ${hour}`);
  });
});

test('hours that do not differ share what they know', () => {
  const random = createRandom(8);
  const values = Array.from({ length: 24 * 14 }, () => (random.uniform() < 0.5 ? 2 : 0));
  for (const row of forecast(values, 24, [0.3, 0.7])) assert.deepEqual(row, [0, 2]);
});

test('a simulated demand is forecast better than by its last season', () => {
  let own = 0;
  let naive = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const values = workingHours(17 * 24, 0.5, seed);
    const series = { ...hourlySeries(values.slice(0, -24)), season: 24 };
    const outcomes = values.slice(-24);
    const loss = (rows: Float64Array[]): number =>
      rows.reduce(
        (sum, row, h) =>
          sum + LEVELS.reduce((s, level, q) => s + pinballLoss(outcomes[h] as number, row[q] as number, level), 0),
        0,
      );
    own += loss(intermittent.fit(series, { seed: 1 })(24, LEVELS));
    naive += loss(seasonalNaive.fit(series, { seed: 1 })(24, LEVELS));
  }
  assert.ok(own < 0.7 * naive, `${own}, seasonal naive ${naive}`);
});

test('a demand that has begun or ended is followed at once', () => {
  const begun = Array.from({ length: 140 }, (_, t) => (t < 130 ? 0 : 2));
  assert.deepEqual(forecast(begun, 3, [0.25, 0.5, 0.75])[2], [2, 2, 2]);
  const ended = Array.from({ length: 140 }, (_, t) => (t < 120 ? 2 : 0));
  assert.deepEqual(forecast(ended, 3, [0.25, 0.5, 0.75])[2], [0, 0, 0]);
});

test('series of zeros, with one demand, and with gaps are forecast', () => {
  assert.deepEqual(forecast(new Array(50).fill(0), 2), [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
  ]);
  const one = new Array(50).fill(0);
  one[20] = 7;
  assert.deepEqual(forecast(one, 1, [0.5, 0.9, 0.999])[0], [0, 0, 7]);
  const gappy = workingHours(20 * 24, 0.8, 5).map((value, t) => (t % 5 === 1 ? Number.NaN : value));
  forecast(gappy, 24).forEach((row) => {
    assert.ok(row.every(Number.isFinite), `${row}`);
  });
});

test('amounts are not rounded, and values of any size and sign are forecast', () => {
  const amounts = workingHours(20 * 24, 0.8, 5).map((value) => value * 0.35);
  assert.ok(forecast(amounts, 24).some((row) => row.some((value) => !Number.isInteger(value))));
  for (const unit of [1e-300, 1e300, -1e300]) {
    for (const row of forecast(
      amounts.map((value, t) => (t % 7 === 0 ? -1 : 1) * value * unit),
      24,
    )) {
      assert.ok(row.every((value, i) => Number.isFinite(value) && (i === 0 || value >= (row[i - 1] as number))));
    }
  }
});

test('a series that is never zero has no probability of zero', () => {
  const random = createRandom(4);
  const values = Array.from({ length: 200 }, () => 50 + Math.floor(20 * random.uniform()));
  for (const row of forecast(values, 5, [0.001, 0.5])) {
    assert.ok((row[0] as number) >= 40, `${row}`);
    assert.ok(Math.abs((row[1] as number) - 60) < 8, `${row}`);
  }
});

test('the same series gives the same digits', () => {
  const values = workingHours(300, 0.6, 2);
  assert.deepEqual(forecast(values, 30), forecast(values, 30));
});

test('a series without an observation and one with an infinite value are refused', () => {
  const refused = (values: number[], code: string) =>
    assert.throws(
      () => forecast(values, 1),
      (error) => error instanceof ModelError && error.code === code,
    );
  refused([Number.NaN, Number.NaN], 'INSUFFICIENT_HISTORY');
  refused([0, Number.POSITIVE_INFINITY, 1], 'INVALID_SERIES');
});
