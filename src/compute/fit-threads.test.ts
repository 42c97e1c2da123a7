import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import { canonicalResult, createInlineRunner, createModels, forecast } from '../engine/index.ts';
import { cpuClass, type FitThreads, loadProphetRuntime, readFingerprint, startFitThreads } from './index.ts';

let runner: FitThreads;
before(async () => {
  runner = await startFitThreads(2);
});
after(() => runner?.close());
const REQUEST = monthlyRequest(36, 6, { season: 10 });

test('a request has the same bytes in any thread, alone, beside others and without threads', async () => {
  const inline = createInlineRunner(createModels({ prophet: loadProphetRuntime() }));
  const expected = canonicalResult(await forecast(REQUEST, { runner: inline }));
  const alone = await forecast(REQUEST, { runner });
  assert.equal(canonicalResult(alone), expected);
  const others = [1, 2, 3].map((seed) => forecast(monthlyRequest(14 + seed, 3, { seed }), { runner }));
  const beside = await Promise.all([forecast(REQUEST, { runner }), forecast(REQUEST, { runner })]);
  await Promise.all(others);
  for (const result of beside) assert.equal(canonicalResult(result), expected);
});

test('a fit canceled at any moment rejects immediately, and the threads serve the next one', async () => {
  const long = monthlyRequest(400, 30, { season: 10 });
  for (const delay of [0, 3, 30, 120]) {
    const controller = new AbortController();
    const running = forecast(long, { runner, signal: controller.signal });
    await Promise.all([
      assert.rejects(running, { name: 'AbortError' }),
      new Promise((resolve) => setTimeout(resolve, delay)).then(() => controller.abort()),
    ]);
  }
  const result = await forecast(REQUEST, { runner });
  assert.ok(result.members.every(({ status }) => status === 'completed'));
});

test('an aborted signal starts nothing', async () => {
  await assert.rejects(forecast(REQUEST, { runner, signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('an error in a thread fails the model and keeps the thread', async () => {
  const { cadence, values } = REQUEST;
  const series = { cadence, values: Float64Array.from(values), times: new Float64Array(3), season: 1 };
  const task = { series, windows: [{ length: 3, horizon: 1 }], quantiles: [0.5], seed: 1 };
  const [outcome] = await runner.run({ ...task, model: 'oracle' }, undefined);
  assert.deepEqual(outcome, { failure: { code: 'CRASHED', message: "There is no model 'oracle'." } });
  assert.equal((await runner.run({ ...task, model: 'ets' }, undefined)).length, 1);
});

test('no more threads are busy than allowed', async () => {
  const { cadence, values } = monthlyRequest(120, 6);
  const series = { cadence, values: Float64Array.from(values), times: new Float64Array(120), season: 12 };
  const windows = Array.from({ length: 6 }, (_, i) => ({ length: 100 + i, horizon: 6 }));
  const busiest = async (): Promise<number> => {
    const fits: { start: number; end: number }[] = [];
    await runner.run({ series, windows, quantiles: [0.5], seed: 1, model: 'arima' }, undefined, ({ startedAt, ms }) =>
      fits.push({ start: startedAt, end: startedAt + ms }),
    );
    assert.equal(fits.length, windows.length);
    return Math.max(...fits.map(({ start }) => fits.filter((one) => one.start <= start && start < one.end).length));
  };
  runner.setLimit(1);
  assert.equal(await busiest(), 1);
  runner.setLimit(3);
  assert.ok((await busiest()) > 1, 'missing threads are started');
});

test('closed threads reject running and new tasks', async () => {
  const short = await startFitThreads(1);
  const running = forecast(monthlyRequest(400, 30), { runner: short });
  const refused = assert.rejects(running, /closed/);
  await short.close();
  await refused;
  await assert.rejects(forecast(REQUEST, { runner: short }), /closed/);
});

test('a fingerprint names everything that the digits depend on', () => {
  const { engine, node, architecture, onnxruntime, cpu } = readFingerprint(['ets']);
  assert.deepEqual([node, architecture, onnxruntime], [process.version, process.arch, null]);
  assert.ok(engine.length > 0 && cpu.length > 0);
  assert.equal(cpuClass('flags\t\t: fpu sse4_2 avx avx2 bmi2\n'), 'avx2');
  assert.equal(cpuClass('Features\t: fp asimd sve aes\n'), 'sve');
  assert.equal(cpuClass(''), 'generic');
});
