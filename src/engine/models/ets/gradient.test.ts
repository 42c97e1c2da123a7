import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { candidateForms, type EtsForm } from './form.ts';
import { guessInitialStates } from './initial-states.ts';
import { createObjective } from './objective.ts';

const PERIOD = 4;
const random = createRandom(3);
const values = Float64Array.from(
  { length: 30 },
  (_, t) => 1 + 0.02 * t + 0.2 * Math.sin((Math.PI * t) / 2) + 0.05 * drawNormal(random),
);
const withGap = values.map((value, t) => (t === 11 ? Number.NaN : value));

for (const form of candidateForms(true, true)) {
  test(`the gradient of ${formName(form)} matches its value, across a gap`, () => {
    const period = form.season === 'none' ? 1 : PERIOD;
    const guess = guessInitialStates(values, period, form.season);
    assert.ok(guess);
    const { value, start } = createObjective({ values: withGap, observed: 29, period }, form, guess.withTrend);
    const point = start.map((x, i) => x + 0.01 * ((i % 3) + 1));
    const gradient = new Float64Array(point.length);
    const scratch = new Float64Array(point.length);
    assert.ok(Number.isFinite(value(point, gradient)));
    for (let i = 0; i < point.length; i++) {
      const step = 1e-5;
      const up = value(
        point.map((x, k) => (k === i ? x + step : x)),
        scratch,
      );
      const down = value(
        point.map((x, k) => (k === i ? x - step : x)),
        scratch,
      );
      const expected = (up - down) / (2 * step);
      const error = Math.abs((gradient[i] as number) - expected);
      assert.ok(error < 1e-3 * (1 + Math.abs(expected)), `coordinate ${i}: ${gradient[i]}, expected ${expected}`);
    }
  });
}

/** The usual name, such as `ETS(M,Ad,M)`. */
function formName(form: EtsForm): string {
  const trend = { none: 'N', linear: 'A', damped: 'Ad' }[form.trend];
  const season = { none: 'N', additive: 'A', multiplicative: 'M' }[form.season];
  return `ETS(${form.relativeError ? 'M' : 'A'},${trend},${season})`;
}
