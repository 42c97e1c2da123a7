import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listQueues } from '../../src/compose/index.ts';
import { checkpointFolders, openEngineBundles, openModelCheckpoints } from '../../src/compute/index.ts';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { createForecast, takeOverJobs } from '../../src/forecasts/index.ts';
import { createLog, openQueue, type Queue } from '../../src/platform/index.ts';
import {
  CHANGED_SEASON,
  changedEngine,
  type EnginesFolder,
  recordedEngine,
  writeEngines,
} from '../support/compute/changed-engine.ts';
import { tinyDataFolder } from '../support/compute/tiny-checkpoints.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

interface Finished {
  readonly forecast_id: string;
  readonly status: string;
  readonly season: number;
  readonly checkpoints: Record<string, string>;
  readonly members: readonly { readonly model: string; readonly checkpoint: string }[];
  readonly fingerprint: { readonly engine: string };
  readonly comparison: { readonly outcome: string } | null;
  readonly predictions: readonly object[];
}

/** The version for which the sources pass, as after ENGINE_VERSION was raised. */
const PRESENT = 'next';
let folder: EnginesFolder;
let service: ForecastService;
let caller: Caller;
const queues = new Map<string, Promise<Queue>>();
before(async () => {
  folder = writeEngines({ 2: changedEngine('2'), [ENGINE_VERSION]: recordedEngine(), broken: changedEngine('broken') });
  writeFileSync(folder.fileOf('broken'), changedEngine('2'));
  const engines = openEngineBundles({ folder: folder.path, present: PRESENT });
  service = await openForecastService(testedKind, { worker: true, engines });
  caller = await service.account('enterprise');
});
after(async () => {
  for (const queue of queues.values()) await (await queue).stop();
  await service?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

/**
 * Creates a forecast as a service whose engine has this version. No worker has it, so the worker of the test takes the job
 * over if it can.
 */
async function createBy(version: string, fields: object = {}): Promise<string> {
  const engines = openEngineBundles({ folder: folder.path, present: version });
  const checkpoints = openModelCheckpoints(checkpointFolders(tinyDataFolder()), { log: createLog('silent'), engines });
  const account = { kind: 'account', accountId: caller.accountId, plan: 'enterprise' } as never;
  const body = ForecastRequestBody.parse(inlineRequest(fields));
  const options = { idempotencyKey: null, network: null };
  const { database } = service;
  const queue = queues.get(version) ?? openQueue(database, { queues: listQueues(version), supervise: false });
  queues.set(version, queue);
  const context = { ...service.forecasts, checkpoints, queue: await queue };
  const id = await createForecast(context, account, body, options);
  await takeOverJobs({ ...service.forecasts, log: createLog('silent') });
  return id;
}

const read = async (id: string) => (await caller.request<Finished>('GET', `${FORECASTS}/${id}`)).data;
const waitForEnd = (id: string) =>
  waitFor(
    () => read(id),
    ({ status }) => ['completed', 'failed'].includes(status),
  );
const reproduce = (id: string) => caller.request<Started>('POST', `${FORECASTS}/${id}/reproduce`);

for (const version of ['2', ENGINE_VERSION]) {
  test(`a forecast of engine ${version} runs in that engine, also when it is reproduced [${testedKind}]`, async () => {
    const first = await waitForEnd(await createBy(version));
    const second = await waitForEnd((await reproduce(first.forecast_id)).data.forecast_id);
    for (const { status, season, fingerprint, checkpoints, members } of [first, second]) {
      assert.deepEqual(
        [status, fingerprint.engine, season === CHANGED_SEASON],
        ['completed', version, version === '2'],
      );
      assert.deepEqual(checkpoints, { theta: `engine-${version}`, ets: `engine-${version}` });
      assert.ok(members.every(({ checkpoint }) => checkpoint === `engine-${version}`));
    }
    assert.equal(second.comparison?.outcome, 'exact');
    assert.deepEqual(second.predictions, first.predictions);
    const proof = await caller.request<{ fingerprint: object }>('GET', `${FORECASTS}/${second.forecast_id}/proof`);
    assert.equal(proof.status, 200);
  });
}

test(`new forecasts run in the present engine beside reproductions of others [${testedKind}]`, async () => {
  const originals = await Promise.all(
    ['2', ENGINE_VERSION].map(async (version) => waitForEnd(await createBy(version))),
  );
  const started = await Promise.all([create(caller), ...originals.map(({ forecast_id }) => reproduce(forecast_id))]);
  const [made, ...copies] = await Promise.all(started.map(({ data }) => waitForEnd(data.forecast_id)));
  assert.deepEqual([made?.fingerprint.engine, made?.season === CHANGED_SEASON], [PRESENT, false]);
  assert.deepEqual(
    copies.map(({ fingerprint, comparison }) => [fingerprint.engine, comparison?.outcome]),
    [
      ['2', 'exact'],
      [ENGINE_VERSION, 'exact'],
    ],
  );
});

test(`a version without a bundle is refused with 422 that names it, and nothing is queued [${testedKind}]`, async () => {
  const waiting = await read(await createBy('1'));
  assert.equal(waiting.status, 'queued', 'left to a worker that has the engine');
  const refused = await reproduce(waiting.forecast_id);
  assert.equal(refused.status, 422);
  assert.match(
    JSON.stringify(refused),
    /CHECKPOINT_UNAVAILABLE: ets, theta engine-1 is not available: this service runs engine-next\. Create a new/,
  );
});

test(`a damaged bundle is refused with 422 that names it [${testedKind}]`, async () => {
  const waiting = await read(await createBy('broken'));
  assert.equal(waiting.status, 'queued', 'left to a worker that has the engine');
  const refused = await reproduce(waiting.forecast_id);
  assert.equal(refused.status, 422);
  const text = JSON.stringify(refused);
  assert.match(text, /ets, theta engine-broken is not available: its bundle is missing or damaged\. The operator/);
  assert.equal(text.includes(folder.path), false);
});

test(`a forecast of toto alone is reproduced by the engine that ran it [${testedKind}]`, async () => {
  const { data } = await create(caller, { models: ['toto'] });
  const first = await waitForEnd(data.forecast_id);
  assert.deepEqual([first.status, first.fingerprint.engine], ['completed', PRESENT]);
  const ranIn = (version: string) =>
    sql`UPDATE forecast SET fingerprint = jsonb_set(fingerprint::jsonb, '{engine}', to_jsonb(${version}::text))
      WHERE id = ${first.forecast_id}`.execute(service.database.query());
  await ranIn('2');
  const second = await waitForEnd((await reproduce(first.forecast_id)).data.forecast_id);
  assert.deepEqual([second.fingerprint.engine, second.season], ['2', CHANGED_SEASON]);
  assert.equal(second.comparison?.outcome, 'differs', 'the present engine computed the original');
  const third = await waitForEnd((await reproduce(second.forecast_id)).data.forecast_id);
  assert.deepEqual([third.fingerprint.engine, third.comparison?.outcome], ['2', 'exact']);
  await ranIn('1');
  const refused = await reproduce(first.forecast_id);
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused), /toto engine-1 is not available: this service runs engine-next/);
});

test(`a reproduction in an earlier engine can be canceled while it runs [${testedKind}]`, async () => {
  const models = ['prophet', 'arima', 'ets'];
  const points = Array.from({ length: 3_000 }, (_, i) => ({
    timestamp: new Date(Date.UTC(2010, 0, 1 + i)).toISOString(),
    value: 100 + (i % 7) + Math.sin(i * i),
  }));
  const id = await createBy('2', { models, horizon: 60, source: { type: 'inline', points } });
  await waitFor(
    () => read(id),
    ({ status }) => status === 'running',
  );
  const { status } = await caller.request('POST', `${FORECASTS}/${id}/cancel`);
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(await waitForEnd(id), { status: 'failed', error: { code: 'FORECAST_CANCELED' } });
  const next = await waitForEnd(await createBy('2'));
  assert.deepEqual([next.status, next.season], ['completed', CHANGED_SEASON]);
});
