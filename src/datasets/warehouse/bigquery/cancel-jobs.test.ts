import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BigqueryScene,
  createBigqueryScene,
  describe,
  queryOf,
  type SceneOptions,
} from '../../../../test/support/datasets/bigquery-scene.ts';
import { type Reply, sendHtml, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { type CallLimits, createProviderClient } from '../../../platform/index.ts';

const REASON = new Error('the caller disconnected');

/** Begins a read whose job does not complete. */
async function beginRead({ engine, server }: BigqueryScene, signal?: AbortSignal) {
  const table = await describe(engine);
  server.requests.length = 0;
  server.isHeld = true;
  return engine.read(table, queryOf(table), { estimatedBytes: 1, signal });
}

async function assertNoJob({ engine, server }: BigqueryScene, cancels: number): Promise<void> {
  await engine[Symbol.asyncDispose]();
  assert.equal(server.countRunning(), 0, 'jobs that run');
  assert.equal(server.requests.filter(({ kind }) => kind === 'cancel').length, cancels, 'requests to cancel');
}

function abortThen(stop: AbortController, reply: Reply = (_request, _response, answer) => answer()): Reply {
  return (request, response, answer) => {
    stop.abort(REASON);
    setImmediate(reply, request, response, answer);
  };
}

async function createScene(options?: SceneOptions) {
  const scene = await createBigqueryScene(options);
  return { scene, stop: new AbortController() };
}

test('an abort while the job runs cancels it', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  scene.server.script.results.push((_request, _response, answer) => answer(), abortThen(stop));
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await assertNoJob(scene, 1);
  const cancel = scene.server.requests.find(({ kind }) => kind === 'cancel');
  assert.match(cancel?.path ?? '', /^\/bigquery\/v2\/projects\/almanac-tests\/jobs\/job_[0-9a-f_]+\/cancel$/);
  assert.deepEqual(cancel?.query, { location: 'US' });
});

test('an abort during the first request cancels the job that it starts', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  scene.server.script.query.push(abortThen(stop));
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await assertNoJob(scene, 1);
});

test('an abort during the first request cancels nothing if the job completes', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  const completes: Reply = (_request, _response, answer) => {
    scene.server.isHeld = false;
    answer();
  };
  scene.server.script.query.push(abortThen(stop, completes));
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await assertNoJob(scene, 0);
});

test('an abort during the first request that fails starts no other attempt', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  scene.server.script.query.push(abortThen(stop, sendText('', 503)));
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await assertNoJob(scene, 0);
  assert.deepEqual(
    scene.server.requests.map(({ kind }) => kind),
    ['query'],
  );
});

test('a caller that has aborted before sends no request', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  stop.abort(REASON);
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await assertNoJob(scene, 0);
  assert.deepEqual(scene.server.requests, []);
});

test('an abort while pages are read cancels nothing', async () => {
  const { scene, stop } = await createScene({ pageRows: 2 });
  await using _ = scene;
  const table = await describe(scene.engine);
  scene.server.script.results.push(abortThen(stop));
  const read = scene.engine.read(table, queryOf(table), { estimatedBytes: 1, signal: stop.signal });
  await assert.rejects(read, REASON);
  await assertNoJob(scene, 0);
});

test('a job that never completes is canceled after too many requests for its result', async () => {
  const { scene } = await createScene();
  await using _ = scene;
  await assert.rejects(beginRead(scene), { code: 'PROVIDER_FAILED', message: 'bigquery did not respond in time.' });
  assert.equal(scene.server.requests.filter(({ kind }) => kind === 'results').length, 60);
  await assertNoJob(scene, 1);
});

test('a job that has not completed at the deadline is canceled', async () => {
  // Time passes only in pauses.
  let ms = 0;
  const sleep = async (pause: number) => {
    ms += pause;
  };
  const connect = ({ signal, totalMs = 20_000 }: CallLimits = {}) =>
    createProviderClient({ provider: 'bigquery', gate: null, now: () => ms, deadline: ms + totalMs, signal, sleep });
  const { scene } = await createScene({ sleep, connect });
  await using _ = scene;
  await assert.rejects(beginRead(scene), { code: 'PROVIDER_FAILED', message: 'bigquery did not respond in time.' });
  assert.ok(ms >= 60_000 && ms <= 62_000, `${ms} ms`);
  await assertNoJob(scene, 1);
});

test('a job is canceled if replies about it are invalid or fail', async () => {
  const otherJob = { jobReference: { projectId: 'almanac-tests', jobId: 'other' }, jobComplete: false };
  const faults: readonly (readonly [reply: Reply, times: number])[] = [
    [sendHtml, 2],
    [sendJson({}), 1],
    [sendJson(otherJob), 1],
    [sendText('', 500), 4],
    [sendText('', 403), 1],
    [sendText('', 404), 1],
  ];
  for (const [fault, times] of faults) {
    const { scene } = await createScene();
    await using _ = scene;
    scene.server.script.results.push(...Array(times).fill(fault));
    await assert.rejects(beginRead(scene), { code: 'PROVIDER_FAILED' });
    await assertNoJob(scene, 1);
  }
});

test('a lost reply does not start a second job', async () => {
  const { scene } = await createScene();
  await using _ = scene;
  const { server } = scene;
  server.script.query.push((_request, response, answer) => {
    response.destroy();
    answer();
  });
  server.script.results.push(sendJson({}));
  await assert.rejects(beginRead(scene), { code: 'PROVIDER_FAILED' });
  const runs = server.requests.filter(({ kind }) => kind === 'query');
  assert.equal(runs.length, 2);
  assert.deepEqual(runs[0]?.body, runs[1]?.body, 'the same request id');
  await assertNoJob(scene, 1);
});

test('a job that cannot be canceled does not change the error', async () => {
  const { scene, stop } = await createScene();
  await using _ = scene;
  scene.server.script.results.push(abortThen(stop));
  scene.server.script.cancel.push(...Array(4).fill(sendText('', 500)));
  await assert.rejects(beginRead(scene, stop.signal), REASON);
  await scene.engine[Symbol.asyncDispose]();
  assert.equal(scene.server.requests.filter(({ kind }) => kind === 'cancel').length, 4);
});

test('closing ends a read and cancels its job', async () => {
  const { scene } = await createScene();
  await using _ = scene;
  const reading = beginRead(scene);
  const failed = assert.rejects(reading, { code: 'UNAVAILABLE' });
  while (scene.server.countRunning() === 0) await new Promise(setImmediate);
  await assertNoJob(scene, 1);
  await failed;
});
