import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { keepCoresBusy } from '../../test/support/compute/busy-cores.ts';
import { monthlySeries } from '../../test/support/snapshots/series.ts';
import { createModels } from '../engine/index.ts';
import { loadProphetRuntime, readThreadCpuMs } from './prophet-runtime.ts';

/** A step with a change at every point: the noise approaches zero, and the line search fails. */
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

/** A long noisy series whose search runs through all of its iterations. */
function longSearch(rows = 1500, changes = 25) {
  const t = Array.from({ length: rows }, (_, i) => i / (rows - 1));
  const data = {
    ...DATA,
    T: rows,
    y: t.map((x, i) => x + Math.sin(i / 9) + ((i * 7919) % 101) / 50),
    t,
    cap: t.map(() => 0),
    S: changes,
    t_change: Array.from({ length: changes }, (_, i) => (i + 1) / (changes + 2)),
    X: t.map((_, i) => [Math.sin(i / 9)]),
  };
  const start = { ...START, delta: new Float64Array(changes) };
  return [
    start,
    JSON.stringify(data),
    { seed: 1, iter: 400, tolObj: 1e-16, tolRelObj: 1e-9, tolParam: 1e-16 },
  ] as const;
}

test('a failed search of the Stan program throws and prints nothing', async (t) => {
  const runtime = loadProphetRuntime();
  const stderr = t.mock.method(process.stderr, 'write');
  const stdout = t.mock.method(process.stdout, 'write');
  assert.throws(() => runtime.optimize(START, JSON.stringify(DATA), { seed: 1 }), /Line search failed/);
  // What a thread prints arrives in a later turn of the event loop.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const printed = [...stderr.mock.calls, ...stdout.mock.calls].map((call) => String(call.arguments[0]));
  t.mock.restoreAll();
  // The test runner prints as well.
  assert.doesNotMatch(printed.join(''), /optimization|line search/i);
  assert.equal(runtime.endedSearches(), 0);
});

test('replaces a program that trapped', () => {
  const runtime = loadProphetRuntime();
  // The program lists this algorithm but was built without it.
  const newton = { seed: 1, algorithm: 'newton' };
  for (let run = 0; run < 2; run++) {
    assert.throws(() => runtime.optimize(START, JSON.stringify(DATA), newton), /unreachable/);
  }
  const prophet = createModels({ prophet: runtime }).get('prophet');
  const series = monthlySeries(Array.from({ length: 40 }, (_, t) => 50 + t + 9 * Math.sin(t)));
  assert.equal(prophet?.fit(series, { seed: 1 })(2, [0.5]).length, 2);
  assert.ok(runtime.cpuMs() > 0);
});

test('a search that uses up its CPU time is ended and counted, and the next search gets a new thread', () => {
  // Only the long search gets no CPU time.
  const runtime = loadProphetRuntime((characters) => (characters > 10_000 ? 0 : 3000));
  assert.throws(() => runtime.optimize(...longSearch()), /did not end/);
  assert.equal(runtime.endedSearches(), 1);
  assert.throws(() => runtime.optimize(START, JSON.stringify(DATA), { seed: 1 }), /Line search failed/);
});

test('busy cores do not end a search: its CPU time counts, not the wall time', async () => {
  const search = longSearch();
  const quiet = loadProphetRuntime();
  const expected = quiet.optimize(...search);
  const before = quiet.cpuMs();
  quiet.optimize(...search);
  // On a machine with four busy processes per core, the wall time is more than four times the CPU time.
  const budgetMs = 2 * (quiet.cpuMs() - before) + 100;
  const guarded = loadProphetRuntime((characters) => (characters > 10_000 ? budgetMs : 3000));
  // Starts the thread, so that only the search runs while the cores are busy.
  assert.throws(() => guarded.optimize(START, JSON.stringify(DATA), { seed: 1 }), /Line search failed/);
  await using _ = await keepCoresBusy();
  assert.deepEqual(guarded.optimize(...search), expected);
  assert.equal(guarded.endedSearches(), 0);
});

test('the CPU time of a thread that has ended is null', () => {
  assert.equal(threadId, 0);
  assert.ok((readThreadCpuMs(process.pid) as number) > 0);
  assert.equal(readThreadCpuMs(2 ** 31 - 2), null);
});
