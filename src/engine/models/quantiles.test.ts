import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prophetRuntime } from '../../../test/support/compute/prophet-runtime.ts';
import { monthlySeries } from '../../../test/support/snapshots/series.ts';
import { checkQuantiles, ModelError } from '../model.ts';
import { createModels } from './catalog.ts';

const MOVING = Array.from({ length: 40 }, (_, t) => 50 + t + 9 * Math.sin(t));
const CONSTANT = Array.from({ length: 40 }, () => 7);

function assertRefused(forecast: () => unknown, what: string): void {
  assert.throws(forecast, (error) => error instanceof ModelError && error.code === 'UNSUPPORTED_QUANTILE', what);
}

for (const model of createModels({ prophet: prophetRuntime }).values()) {
  test(`${model.id} refuses numbers that are not quantiles, and accepts any quantile`, () => {
    for (const values of [MOVING, CONSTANT]) {
      const forecast = model.fit(monthlySeries(values, 12), { seed: 1 });
      for (const quantile of [0, 1, -0.1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assertRefused(() => forecast(1, [0.5, quantile]), `${quantile}`);
      }
      assert.equal(forecast(2, [0.001, 0.5, 0.999]).length, 2);
    }
  });
}

test('a model with a range refuses quantiles outside it', () => {
  const support = { min: 0.1, max: 0.9, interpolation_inside_range: true };
  checkQuantiles([0.1, 0.15, 0.9], support);
  assertRefused(() => checkQuantiles([0.05], support), '0.05');
  assertRefused(() => checkQuantiles([0.5, 0.95], support), '0.95');
});
