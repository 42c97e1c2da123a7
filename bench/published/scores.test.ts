import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowSeries } from './read-sets.ts';
import { type Forecasted, scoreByWindow, scoreTogether } from './scores.ts';

const NA = Number.NaN;

function forecasted(
  history: readonly number[],
  actuals: readonly number[],
  rows: readonly (readonly number[])[],
  change: Partial<WindowSeries> = {},
): Forecasted {
  const series: WindowSeries = {
    id: 'one',
    group: 'yearly',
    season: 1,
    horizon: actuals.length,
    history: Float64Array.from(history),
    actuals: Float64Array.from(actuals),
    window: 1,
    first: undefined,
    ...change,
  };
  return { series, rows: rows.map((row) => Float64Array.from(row)) };
}

function flat(value: number): number[] {
  return new Array(9).fill(value);
}

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
}

test('computes an example calculated by hand, with missing values and a series that never changed', () => {
  // The changes are 1 and 2, because three of the values have no neighbor. So the scale is 1.5.
  const first = forecasted([1, NA, 3, 4, 2], [3, NA], [[2, 2, 3, 3, 4, 5, 5, 6, 6], flat(0)]);
  // The losses of the first step are .2, .4, 0, 0, 1, 1.6, 1.2, 1.2 and .6.
  // A series without changes has the scale 0. Its error cannot be scaled, but its losses count: 4 times each level.
  const constant = forecasted([5, 5, 5], [7], [flat(5)]);
  const scores = scoreTogether([first, constant]);
  assertNear(scores.mase, 1 / 1.5);
  assertNear(scores.wql, (6.2 + 18) / 9 / (3 + 7));
  assertNear(scores.smape, (200 / 7 + 400 / 12) / 2);
  assertNear(scores.coverage_80, 1 / 2);
});

test('takes the scale from changes over one season, in the whole history', () => {
  // The changes over four periods are 2 and 4.
  const quarterly = forecasted([1, 9, 3, 7, 3, 5], [10], [flat(4)], { season: 4 });
  assertNear(scoreTogether([quarterly]).mase, 6 / 3);
});

test('leaves out errors that cannot be scaled: an exact forecast of a constant, and a history without a season', () => {
  const constant = forecasted([5, 5, 5], [5], [flat(5)]);
  const short = forecasted([1, 2, 3], [9], [flat(4)], { season: 12 });
  const usual = forecasted([1, 2, 3], [9], [flat(4)]);
  assertNear(scoreTogether([constant, short, usual]).mase, 5);
  assert.ok(Number.isNaN(scoreTogether([constant]).mase));
});

test('pools windows, or averages their scores', () => {
  const near = forecasted([0, 1], [10], [flat(8)]);
  const exact = forecasted([0, 1], [1000], [flat(1000)], { window: 2 });
  assertNear(scoreTogether([near, exact]).wql, 18 / 9 / 1010);
  assertNear(scoreByWindow([near, exact]).wql, (18 / 9 / 10 + 0) / 2);
  // A window with more series counts as much as another.
  const twice = [near, near, exact];
  assertNear(scoreTogether(twice).mase, 4 / 3);
  assertNear(scoreByWindow(twice).mase, 1);
});
