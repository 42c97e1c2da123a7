import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimizeSquares } from '../../numerics/least-squares.ts';
import { POLISH_EFFORT } from './estimate.ts';
import { ExactLikelihood } from './exact-likelihood.ts';
import { GapFilter } from './gap-filter.ts';
import { differenceAll, type Orders } from './orders.ts';

/** Yearly flow of the Nile, 1871 to 1910, and monthly air passengers, 1949 to 1952: both in R's datasets. */
const NILE = [
  1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140, 1100,
  1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
];
const PASSENGERS = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114,
  140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180, 193, 181, 183, 218, 230, 242, 209, 191,
  172, 194,
];
const PLAIN = { p: 0, d: 0, q: 0, P: 0, D: 0, Q: 0, season: 1, constant: false };

function logLikelihood(values: readonly number[], orders: Orders): number {
  const y = Float64Array.from(values);
  const w = differenceAll(y, orders.d, orders.D, orders.season);
  const problem = new ExactLikelihood(y, w, orders);
  const start = new Float64Array(problem.parameters).fill(0.1);
  const { value } = minimizeSquares(problem, start, { ...POLISH_EFFORT, tolerance: 1e-11 });
  return (-w.length / 2) * (Math.log(2 * Math.PI) + 1 + Math.log(value / w.length));
}

// Maxima from R's stats::arima on the same values.
const FROM_R: readonly [string, readonly number[], Orders, number][] = [
  ['AR(1) with mean', NILE, { ...PLAIN, p: 1, constant: true }, -258.122624],
  ['ARMA(1,1) with mean', NILE, { ...PLAIN, p: 1, q: 1, constant: true }, -256.897526],
  ['IMA(1,1)', NILE, { ...PLAIN, d: 1, q: 1 }, -252.473383],
  ['airline', PASSENGERS, { ...PLAIN, d: 1, q: 1, D: 1, Q: 1, season: 12 }, -121.5191],
];
for (const [name, values, orders, expected] of FROM_R) {
  test(`agrees with R on the likelihood of ${name}`, () => {
    assert.ok(Math.abs(logLikelihood(values, orders) - expected) < 1e-3);
  });
}

test('the gap filter agrees with the fast filter on a complete series', () => {
  const orders = { ...PLAIN, p: 1, d: 1, q: 1, P: 1, season: 12, constant: true };
  const y = Float64Array.from(PASSENGERS, (value) => value / 30);
  const w = differenceAll(y, 1, 0, 12);
  const free = Float64Array.of(0.4, -0.3, 0.5);
  const fast = new ExactLikelihood(y, w, orders).path(free, 15);
  const full = new GapFilter(y, orders).path(free, 15);
  assert.ok(Math.abs(fast.squares / full.squares - 1) < 1e-5);
  fast.mean.forEach((value, h) => {
    assert.ok(Math.abs(value - (full.mean[h] as number)) < 1e-4);
    assert.ok(Math.abs((fast.unitVariance[h] as number) / (full.unitVariance[h] as number) - 1) < 1e-2);
    assert.ok(Math.abs((fast.meanResponse[h] as number) - (full.meanResponse[h] as number)) < 1e-3);
  });
});

test('agrees with R on the likelihood of a series with gaps', () => {
  const y = Float64Array.from(NILE, (value, t) => (t % 7 === 3 ? Number.NaN : value / 100));
  const orders = { ...PLAIN, p: 1, constant: true };
  const problem = new GapFilter(y, orders);
  const { value } = minimizeSquares(problem, new Float64Array(1), { ...POLISH_EFFORT, tolerance: 1e-11 });
  const n = y.filter((v) => !Number.isNaN(v)).length;
  const found = (-n / 2) * (Math.log(2 * Math.PI) + 1 + Math.log(value / n));
  assert.ok(Math.abs(found - -62.145601) < 1e-4);
});
