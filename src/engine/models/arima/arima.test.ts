import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import { ModelError } from '../../model.ts';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { arima } from './arima.ts';

const QUANTILES = [0.01, 0.1, 0.5, 0.9, 0.99];

function forecast(values: ArrayLike<number>, season: number, horizon = 24): Float64Array[] {
  return arima.fit(hourlySeries(values, season), { seed: 1 })(horizon, QUANTILES);
}

function draws(n: number, f: (t: number, noise: number) => number): number[] {
  const random = createRandom(11);
  return Array.from({ length: n }, (_, t) => f(t, drawNormal(random)));
}

const SERIES: Record<string, [number[], number]> = {
  'two points': [[3, 5], 12],
  'a constant': [new Array(30).fill(7), 12],
  'all zeros': [new Array(30).fill(0), 1],
  'nearly constant': [draws(40, (t) => 100 + (t % 3) * 1e-5), 1],
  'a straight line': [draws(40, (t) => 3 * t + 1), 4],
  'a season without noise': [draws(80, (t) => [1, 5, 2, 8][t % 4] as number), 4],
  'intermittent demand': [draws(80, (_, e) => (e > 1 ? Math.round(5 * e) : 0)), 7],
  'negative values': [draws(80, (t, e) => -50 + 9 * Math.sin((Math.PI * t) / 6) + e), 12],
  'a level shift': [draws(80, (t, e) => (t > 50 ? 1000 : 10) + e), 12],
  'tiny numbers': [draws(80, (t, e) => 1e-12 * (5 + Math.sin((Math.PI * t) / 6) + 0.1 * e)), 12],
  'huge numbers': [draws(80, (t, e) => 1e300 * (0.5 + 0.1 * Math.sin((Math.PI * t) / 6) + 0.01 * e)), 12],
  'exponential growth': [draws(60, (t) => Math.exp(t / 3)), 1],
  'a long season': [draws(400, (t, e) => 100 + 30 * Math.sin((2 * Math.PI * t) / 52) + 3 * e), 52],
  gaps: [draws(60, (t, e) => (t % 9 === 4 ? Number.NaN : t + 10 * Math.sin((Math.PI * t) / 6) + e)), 12],
};
for (const [name, [values, season]] of Object.entries(SERIES)) {
  test(`gives finite ascending quantiles for ${name}`, () => {
    for (const row of forecast(values, season)) {
      assert.ok(row.every(Number.isFinite));
      row.forEach((value, i) => {
        assert.ok(i === 0 || value >= (row[i - 1] as number));
      });
    }
  });
}

test('forecasts independently of the unit of the series', () => {
  const values = SERIES['a level shift']?.[0] ?? [];
  const one = forecast(values, 12);
  const million = forecast(
    values.map((value) => value * 2 ** 20),
    12,
  );
  one.forEach((row, h) => {
    row.forEach((value, i) => {
      assert.ok(Math.abs((million[h]?.[i] ?? 0) / 2 ** 20 - value) <= 1e-6 * Math.abs(value) + 1e-6);
    });
  });
});

test('continues a trend and a season, with and without gaps', () => {
  const level = (t: number) => 100 + t + 20 * Math.sin((Math.PI * t) / 6);
  for (const gap of [1000, 8]) {
    const values = draws(120, (t, e) => (t % gap === gap - 2 ? Number.NaN : level(t) + e));
    forecast(values, 12, 12).forEach((row, h) => {
      assert.ok(Math.abs((row[2] as number) - level(120 + h)) < 6, `step ${h}`);
    });
  }
});

test('gives 80% intervals of about the right width for a random walk', () => {
  let sum = 0;
  const row = forecast(
    draws(300, (_, e) => (sum += e)),
    1,
    4,
  )[3] as Float64Array;
  const width = (row[3] as number) - (row[1] as number);
  assert.ok(width > 0.8 * 2 * 1.2816 * 2 && width < 1.8 * 2 * 1.2816 * 2);
});

test('gives the same digits for the same series', () => {
  const values = SERIES.gaps?.[0] ?? [];
  assert.deepEqual(forecast(values, 12), forecast(values, 12));
});

test('uses only the last thousand of fifty thousand points, or eight long seasons', () => {
  let sum = 0;
  const walk = draws(50_000, (_, e) => (sum += e));
  assert.deepEqual(forecast(walk, 7, 3), forecast(walk.slice(-1000), 7, 3));
  assert.notDeepEqual(forecast(walk, 7, 3), forecast(walk.slice(-999), 7, 3));
  assert.deepEqual(forecast(walk, 168, 3), forecast(walk.slice(-1344), 168, 3));
  assert.notDeepEqual(forecast(walk, 168, 3), forecast(walk.slice(-1343), 168, 3));
});

test('refuses series that it cannot forecast', () => {
  const fails = (code: string, run: () => unknown) =>
    assert.throws(run, (error) => error instanceof ModelError && error.code === code);
  fails('INSUFFICIENT_HISTORY', () => forecast([1], 1));
  fails('INVALID_SERIES', () => forecast([1, Number.POSITIVE_INFINITY, 2], 1));
  const series = hourlySeries([1, 2, 4, 3]);
  fails('ABORTED', () => arima.fit(series, { seed: 1, signal: { aborted: true } }));
  fails('UNSUPPORTED_QUANTILE', () => arima.fit(series, { seed: 1 })(1, [0, 0.5]));
});
