import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import type { Series } from '../../model.ts';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { seasonalNaive } from '../seasonal-naive.ts';
import { mstl } from './mstl.ts';

const LEVELS = [0.1, 0.5, 0.9];

/** A day with a peak that is lower on two of seven days. */
const busyHours = (t: number): number => {
  const isWeekend = Math.floor(t / 24) % 7 >= 5;
  return 100 + (isWeekend ? 20 : 60) * Math.sin((Math.PI * (t % 24)) / 24);
};

function noisy(n: number, seed: number, noise: number, value: (t: number) => number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, (_, t) => value(t) + noise * drawNormal(random));
}

function dailySeries(values: Float64Array): Series {
  const times = Float64Array.from(values, (_, i) => Date.UTC(2000, 0, 1 + i));
  return { values, times, cadence: { frequency: '1D', kind: 'plain' }, season: 7 };
}

function forecast(series: Series, horizon: number, quantiles = LEVELS): Float64Array[] {
  return mstl.fit(series, { seed: 1 })(horizon, quantiles);
}

const meanError = (rows: readonly Float64Array[], first: number, value: (t: number) => number, middle = 1): number =>
  rows.reduce((sum, row, h) => sum + Math.abs((row[middle] as number) - value(first + h)), 0) / rows.length;

test('hours have a day and a week', () => {
  const n = 5 * 168 + 100;
  const values = noisy(n, 1, 5, busyHours);
  const rows = forecast(hourlySeries(values, 24), 168);
  const naive = seasonalNaive.fit(hourlySeries(values, 168), { seed: 1 })(168, LEVELS);
  const error = meanError(rows, n, busyHours);
  assert.ok(error < 3, `${error}`);
  assert.ok(error < 0.75 * meanError(naive, n, busyHours), `${error}`);
});

test('days have a week and a year', () => {
  const shape = (t: number): number => 200 + (t % 7 < 2 ? -40 : 0) + 50 * Math.sin((2 * Math.PI * t) / 365.25);
  const n = 4 * 365;
  const rows = forecast(dailySeries(noisy(n, 2, 8, shape)), 60);
  assert.ok(meanError(rows, n, shape) < 5, `${meanError(rows, n, shape)}`);
});

test('dates that differ every year are expected again', () => {
  const isHoliday = (t: number): boolean => {
    const date = new Date(Date.UTC(2000, 0, 1 + t));
    return date.getUTCMonth() === 6 && date.getUTCDate() <= 10;
  };
  const n = 8 * 365 + 170;
  const shape = (t: number): number => (isHoliday(t) ? 40 : 100) + (t % 7 < 2 ? -20 : 0);
  const rows = forecast(dailySeries(noisy(n, 3, 2, shape)), 40);
  const step = rows.findIndex((_, h) => isHoliday(n + h));
  assert.ok(step >= 0);
  const median = rows[step]?.[1] as number;
  assert.ok(Math.abs(median - shape(n + step)) < 15, `${median}, not ${shape(n + step)}`);
});

test('the 80% interval holds about eight of ten outcomes', () => {
  let inside = 0;
  let rows = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const n = 4 * 168;
    const all = noisy(n + 48, seed, 6, busyHours);
    forecast(hourlySeries(all.subarray(0, n), 24), 48).forEach((row, h) => {
      const outcome = all[n + h] as number;
      inside += outcome >= (row[0] as number) && outcome <= (row[2] as number) ? 1 : 0;
      rows++;
    });
  }
  assert.ok(inside / rows > 0.74 && inside / rows < 0.9, `${inside / rows}`);
});

test('an outage does not shift the forecast', () => {
  const n = 5 * 168;
  const values = noisy(n, 4, 3, busyHours).map((value, t) => (t >= n - 12 && t < n - 6 ? 1 : value));
  const error = meanError(forecast(hourlySeries(values, 24), 48), n, busyHours);
  assert.ok(error < 8, `${error}`);
});

test('gaps are skipped, and counts stay at zero or above', () => {
  const n = 4 * 168;
  const gappy = noisy(n, 5, 4, busyHours).map((value, t) =>
    t % 11 === 3 || (t > 300 && t < 330) ? Number.NaN : value,
  );
  assert.ok(meanError(forecast(hourlySeries(gappy, 24), 48), n, busyHours) < 5);
  const counts = noisy(n, 6, 1, (t) => (t % 24 < 8 ? 0 : 3)).map((value) => Math.max(0, Math.round(value)));
  for (const row of forecast(hourlySeries(counts, 24), 24, [0.001, 0.5])) assert.ok((row[0] as number) >= 0, `${row}`);
});

test('a series without a season and a short one are forecast', () => {
  for (const n of [2, 3, 10, 30]) {
    for (const row of forecast(hourlySeries(noisy(n, n, 1, () => 10)), 5)) {
      assert.ok(row.every((value, i) => Number.isFinite(value) && (i === 0 || value >= (row[i - 1] as number))));
    }
  }
});

test('the forecast has the unit of the series, and the same series gives the same digits', () => {
  const values = noisy(600, 7, 5, busyHours);
  const rows = forecast(hourlySeries(values, 24), 48);
  assert.deepEqual(forecast(hourlySeries(values, 24), 48), rows);
  forecast(
    hourlySeries(
      values.map((value) => value * 1e12),
      24,
    ),
    48,
  ).forEach((row, h) => {
    row.forEach((value, q) => {
      const expected = rows[h]?.[q] as number;
      assert.ok(Math.abs(value / 1e12 - expected) < 1e-6 * Math.abs(expected), `${value} for ${expected}`);
    });
  });
});
