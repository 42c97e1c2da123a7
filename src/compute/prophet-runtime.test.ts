import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthlySeries } from '../../test/support/snapshots/series.ts';
import { createModels } from '../engine/index.ts';
import { loadProphetRuntime } from './prophet-runtime.ts';

/** A change at every point of a step: the noise goes to zero and the line search gives up. */
const DATA = {
  T: 4,
  y: [0, 0, 0, 1],
  t: [0, 1 / 3, 2 / 3, 1],
  cap: [0, 0, 0, 0],
  S: 2,
  t_change: [1 / 3, 2 / 3],
  trend_indicator: 0,
  K: 1,
  s_a: [1],
  s_m: [0],
  X: [[0], [0], [0], [0]],
  sigmas: [1],
  tau: 0.5,
};
const START = { k: 1, m: 0, delta: new Float64Array(2), beta: new Float64Array(1), sigmaObs: 1 };

test('a failed search of the Stan program is thrown and not printed', async (t) => {
  const runtime = loadProphetRuntime();
  const stderr = t.mock.method(process.stderr, 'write', () => true);
  const stdout = t.mock.method(process.stdout, 'write', () => true);
  assert.throws(() => runtime.optimize(START, JSON.stringify(DATA), { seed: 1 }), /Line search failed/);
  const printed = [...stderr.mock.calls, ...stdout.mock.calls].map((call) => String(call.arguments[0]));
  t.mock.restoreAll();
  assert.deepEqual(printed, []);
});

test('a program that trapped is replaced, and a search that does not end is given up', () => {
  const runtime = loadProphetRuntime();
  // An algorithm that the program names but was built without.
  const newton = { seed: 1, algorithm: 'newton' };
  for (let run = 0; run < 2; run++) {
    assert.throws(() => runtime.optimize(START, JSON.stringify(DATA), newton), /unreachable/);
  }
  const prophet = createModels({ prophet: runtime }).get('prophet');
  const series = monthlySeries(Array.from({ length: 40 }, (_, t) => 50 + t + 9 * Math.sin(t)));
  assert.equal(prophet?.fit(series, { seed: 1 })(2, [0.5]).length, 2);
  assert.ok(runtime.cpuMs() > 0);
  assert.throws(() => loadProphetRuntime(0).optimize(START, JSON.stringify(DATA), { seed: 1 }), /did not end/);
});
