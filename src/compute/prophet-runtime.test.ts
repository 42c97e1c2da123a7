import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProphetRuntime } from './prophet-runtime.ts';

test('a failed search of the Stan program is thrown and not printed', async (t) => {
  const runtime = await loadProphetRuntime();
  const stderr = t.mock.method(process.stderr, 'write', () => true);
  const stdout = t.mock.method(process.stdout, 'write', () => true);
  // A change at every point of a step: the noise goes to zero and the line search gives up.
  const data = {
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
  const start = { k: 1, m: 0, delta: new Float64Array(2), beta: new Float64Array(1), sigmaObs: 1 };
  assert.throws(() => runtime.optimize(start, JSON.stringify(data), { seed: 1 }), /Line search failed/);
  const printed = [...stderr.mock.calls, ...stdout.mock.calls].map((call) => String(call.arguments[0]));
  t.mock.restoreAll();
  assert.deepEqual(printed, []);
});
