import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourlySeries } from '../../../test/support/snapshots/series.ts';
import { ModelError, type Series } from '../model.ts';
import { drawNormal } from '../numerics/distributions.ts';
import { createRandom } from '../numerics/random.ts';
import { ets } from './ets/ets.ts';
import { theta } from './theta/theta.ts';

const QUANTILES = [0.1, 0.5, 0.9];

function simulate(n: number, seed: number, value: (t: number, noise: number) => number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, (_, t) => value(t, drawNormal(random)));
}

for (const model of [ets, theta]) {
  const fit = (series: Series, horizon: number): Float64Array[] => model.fit(series, { seed: 1 })(horizon, QUANTILES);
  const medians = (series: Series, horizon: number): number[] => fit(series, horizon).map((row) => row[1] as number);

  test(`${model.id} follows a line`, () => {
    const values = simulate(60, 1, (t, e) => 100 + 2 * t + e);
    medians(hourlySeries(values), 10).forEach((median, h) => {
      assert.ok(Math.abs(median - (100 + 2 * (60 + h))) < 5, `${median} at step ${h + 1}`);
    });
  });

  for (const [season, n] of [
    [4, 48],
    [12, 96],
    [52, 260],
    [168, 840],
  ] as const)
    test(`${model.id} repeats a season of ${season}`, () => {
      const clean = (t: number): number => 100 + 20 * Math.sin((2 * Math.PI * t) / season);
      const values = simulate(n, 2, (t, e) => clean(t) + e);
      medians(hourlySeries(values, season), season).forEach((median, h) => {
        assert.ok(Math.abs(median - clean(n + h)) < 5, `${median}, not ${clean(n + h)} at step ${h + 1}`);
      });
    });

  test(`${model.id} gives the same forecast in any unit`, () => {
    const values = simulate(50, 3, (t, e) => 10 + 0.1 * t + 2 * Math.sin((Math.PI * t) / 2) + e);
    const plain = fit(hourlySeries(values, 4), 8);
    for (const unit of [1e-12, 1e12]) {
      const scaled = fit(
        hourlySeries(
          values.map((value) => value * unit),
          4,
        ),
        8,
      );
      scaled.forEach((row, h) => {
        row.forEach((value, q) => {
          const expected = plain[h]?.[q] as number;
          assert.ok(
            Math.abs(value / unit - expected) < 1e-3 * Math.abs(expected),
            `${value} for ${expected}, unit ${unit}`,
          );
        });
      });
    }
  });

  test(`${model.id} carries its states across gaps`, () => {
    const values = simulate(80, 4, (t, e) => 50 + 10 * Math.sin((Math.PI * t) / 6) + e);
    const whole = medians(hourlySeries(values, 12), 12);
    const gappy = values.map((value, t) => (t > 0 && t < 79 && t % 9 === 0 ? Number.NaN : value));
    medians(hourlySeries(gappy, 12), 12).forEach((median, h) => {
      assert.ok(Math.abs(median - (whole[h] as number)) < 3, `${median}, without gaps ${whole[h]}`);
    });
  });

  test(`${model.id} covers a random walk at the nominal rate`, () => {
    let inside = 0;
    let total = 0;
    for (let seed = 1; seed <= 150; seed++) {
      let level = 0;
      const values = simulate(48, seed, (_t, e) => {
        level += e;
        return level;
      });
      fit(hourlySeries(values.slice(0, 40)), 8).forEach((row, h) => {
        const value = values[40 + h] as number;
        if (value >= (row[0] as number) && value <= (row[2] as number)) inside++;
        total++;
      });
    }
    const share = inside / total;
    assert.ok(share > 0.72 && share < 0.9, `${share}`);
  });

  test(`${model.id} repeats a constant and forecasts from two points`, () => {
    assert.deepEqual(
      fit(hourlySeries([7, 7, 7, 7, 7, 7]), 2).map((row) => [...row]),
      [
        [7, 7, 7],
        [7, 7, 7],
      ],
    );
    for (const row of fit(hourlySeries([1, 3]), 4))
      assert.ok(row.every(Number.isFinite) && (row[0] as number) <= (row[2] as number));
  });

  test(`${model.id} refuses series that it cannot forecast, and stops when aborted`, () => {
    const code = (values: number[], aborted = false): string => {
      try {
        model.fit(hourlySeries(values), { seed: 1, signal: { aborted } });
        return 'none';
      } catch (error) {
        return error instanceof ModelError ? error.code : String(error);
      }
    };
    assert.equal(code([1]), 'INSUFFICIENT_HISTORY');
    assert.equal(code([1, Number.POSITIVE_INFINITY, 2]), 'INVALID_SERIES');
    assert.equal(code([1, 2, 3, 2, 4, 3, 5, 4], true), 'ABORTED');
  });

  test(`${model.id} repeats its digits and bounds its work on long series`, () => {
    const values = simulate(50_000, 5, (t, e) => 100 + 10 * Math.sin((2 * Math.PI * t) / 24) + e);
    assert.deepEqual(fit(hourlySeries(values, 24), 3), fit(hourlySeries(values, 24), 3));
  });
}

// ETS reads fewer values if its states include a season; a season of 168 is removed instead, from twelve of them.
for (const [model, season, limit] of [
  [ets, 1, 2000],
  [ets, 7, 800],
  [ets, 168, 2016],
  [theta, 1, 1000],
  [theta, 7, 1000],
  [theta, 168, 2016],
] as const) {
  test(`${model.id} reads the last ${limit} values if the season has ${season}`, () => {
    const weekly = (t: number): number => 50 + 10 * Math.sin((2 * Math.PI * t) / season);
    const values = simulate(limit + 7 * 168, 4, (t, e) => weekly(t) + e);
    const forecast = (past: number[]) => model.fit(hourlySeries(past, season), { seed: 1 })(8, QUANTILES);
    const older = values.map((value, t) => (t < values.length - limit ? 3 * value : value));
    const all = forecast(values);
    forecast(older).forEach((row, h) => {
      row.forEach((value, q) => {
        assert.ok(Math.abs(value / (all[h]?.[q] as number) - 1) < 1e-9, `${value} at step ${h + 1}`);
      });
    });
    const newer = values.with(values.length - limit, 500);
    assert.notDeepEqual(forecast(newer), all);
  });
}
