import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FittedForm } from './fit-form.ts';
import type { EtsForm } from './form.ts';
import { forecastMoments } from './moments.ts';
import { createStatePath, type Smoothing } from './recursion.ts';

/** Returns a fitted form with these last states; the seasons are in the order in which the forecast uses them. */
function formWithStates(form: EtsForm, smoothing: Smoothing, season: number[]): FittedForm {
  const path = createStatePath(new Float64Array(0), season.length, form.season);
  path.level[0] = 10;
  path.trend[0] = 0.5;
  path.season.set(season);
  return { form, smoothing, path, variance: 0, freedom: 10, aicc: 0 };
}

function assertClose(actual: Iterable<number>, expected: number[]): void {
  [...actual].forEach((value, h) => {
    assert.ok(
      Math.abs(value - (expected[h] as number)) < 1e-9 * Math.abs(expected[h] as number),
      `step ${h + 1}: ${value}`,
    );
  });
}

const damped = { alpha: 0.4, beta: 0.1, gamma: 0.2, phi: 0.9 };
const seasons = [0.5, 0.5, -2, 1];
const means = [10.95, 11.355, 9.2195, 12.54755, 12.342795, 12.6085155];
const squares = (deviation: Float64Array): number[] => [...deviation].map((d) => d * d);

// Expected values from R: forecast:::class1, class2 and class3 with the same states.
test('agrees with R on the moments of all-additive forms', () => {
  const form: EtsForm = { relativeError: false, trend: 'damped', season: 'additive' };
  const { mean, deviation } = forecastMoments(formWithStates(form, damped, seasons), 0.25, 6);
  assertClose(mean, means);
  assertClose(squares(deviation), [0.25, 0.310025, 0.39153525, 0.4951870525, 0.701989162525, 0.849659896645]);
});

test('agrees with R on the moments of relative errors with additive seasons', () => {
  const form: EtsForm = { relativeError: true, trend: 'damped', season: 'additive' };
  const { mean, deviation } = forecastMoments(formWithStates(form, damped, seasons), 0.01, 6);
  assertClose(mean, means);
  assertClose(squares(deviation), [1.199025, 1.58012501152, 1.5582017018, 2.70986619882, 3.73307209802, 4.6404864145]);
});

test('agrees with R on the moments of multiplicative seasons, up to one season ahead', () => {
  const form: EtsForm = { relativeError: true, trend: 'linear', season: 'multiplicative' };
  const smoothing = { alpha: 0.4, beta: 0.1, gamma: 0.2, phi: 1 };
  const { mean, deviation } = forecastMoments(formWithStates(form, smoothing, [1.1, 1, 0.8, 1.1]), 0.01, 4);
  assertClose(mean, [11.55, 11, 9.2, 13.2]);
  assertClose(squares(deviation), [1.334025, 1.48838125, 1.29893757, 3.34236412083]);
});
