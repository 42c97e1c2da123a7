import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { listQueues } from '../../src/compose/index.ts';
import { checkpointFolders, openEngineBundles, openModelCheckpoints } from '../../src/compute/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import {
  cancelForecast,
  checkLedger,
  deleteForecast,
  FORECAST_QUEUE,
  type ForecastJob,
  isLedgerSound,
  listForecastBacklogs,
  runForecast,
  takeOverJobs,
} from '../../src/forecasts/index.ts';
import { removeAccountForecasts } from '../../src/forecasts/remove-forecasts.ts';
import { createLog, type Database, openQueue } from '../../src/platform/index.ts';
import { tinyDataFolder } from '../support/compute/tiny-checkpoints.ts';
import { create, type ForecastService, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { computeResult, fakeEngine } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';

const log = createLog('silent');

/** Returns the checkpoints of a build with another version of the engine. It has the engine of this build as a bundle. */
function checkpointsOf(present: string) {
  const engines = openEngineBundles({ present });
  return openModelCheckpoints(checkpointFolders(tinyDataFolder()), { log, engines });
}

async function readJobs(database: Database) {
  const { rows } = await sql<{ name: string; state: string }>`
    SELECT name, state::text FROM queue.job WHERE name LIKE 'forecasts%' ORDER BY name, created_on`.execute(
    database.query(),
  );
  return rows.map(({ name, state }) => `${name} ${state}`);
}

/** Makes a waiting forecast one of a build that did not name its queue by engine. */
async function makeUnversioned({ database }: ForecastService, id: string): Promise<void> {
  await sql`UPDATE queue.job SET name = 'forecasts', data = data - 'engine', priority = 399 WHERE data->>'forecast_id' = ${id}`.execute(
    database.query(),
  );
  await sql`UPDATE forecast SET queue = NULL WHERE id = ${id}`.execute(database.query());
}

test(`jobs are left to the workers of their engine, and taken over when none is left [${testedKind}]`, async () => {
  await using service = await openForecastService(testedKind);
  const { database, forecasts } = service;
  const caller = await service.account('enterprise');
  const created = [await create(caller), await create(caller), await create(caller)];
  const ids = created.map(({ data }) => data.forecast_id);
  const queue = await openQueue(database, { queues: listQueues('next'), supervise: false });
  const next = { ...forecasts, queue, checkpoints: checkpointsOf('next'), log };
  try {
    await sql`INSERT INTO forecast_worker VALUES ('one', ${ENGINE_VERSION}, now())`.execute(database.query());
    assert.equal(await takeOverJobs(next), 0);
    assert.partialDeepStrictEqual(await listForecastBacklogs(database), [
      { engine: ENGINE_VERSION, waiting: 3, workers: 1 },
    ]);
    await sql`UPDATE forecast_worker SET seen_at = now() - interval '31 seconds'`.execute(database.query());
    const [first] = ids;
    await sql`UPDATE queue.job SET state = 'active' WHERE data->>'forecast_id' = ${first}`.execute(database.query());
    assert.equal(await takeOverJobs(next), 2, 'a running job stays');
    const started: string[] = [];
    const result = await computeResult();
    const engines: unknown[] = [];
    await queue.work<ForecastJob>('forecasts/next', {}, async (job) => {
      started.push(job.data.forecast_id);
      const engine = fakeEngine(async (_request, options) => {
        engines.push(options?.engine);
        return result;
      });
      await runForecast({ ...next, engine, limitMs: 60_000 }, job);
    });
    await waitFor(
      () => readJobs(database),
      (jobs) => jobs.filter((job) => job === 'forecasts/next completed').length === 2,
    );
    assert.deepEqual(started, ids.slice(1), 'in their order');
    assert.deepEqual(engines, [ENGINE_VERSION, ENGINE_VERSION]);
  } finally {
    await queue.stop();
  }
});

test(`jobs of builds without named queues are taken over, except those of an engine that is not here [${testedKind}]`, async () => {
  await using service = await openForecastService(testedKind);
  const { database, forecasts } = service;
  const caller = await service.account('enterprise');
  const [kept, foreign, toto] = [
    (await create(caller)).data.forecast_id,
    (await create(caller)).data.forecast_id,
    (await create(caller, { models: ['toto'] })).data.forecast_id,
  ];
  for (const id of [kept, foreign, toto]) await makeUnversioned(service, id);
  await sql`UPDATE forecast SET checkpoints = '{"theta":"engine-none"}' WHERE id = ${foreign}`.execute(
    database.query(),
  );
  assert.equal(await takeOverJobs({ ...forecasts, log }), 2);
  assert.deepEqual(await readJobs(database), [
    'forecasts created',
    `${FORECAST_QUEUE} created`,
    `${FORECAST_QUEUE} created`,
  ]);
  const { rows } = await sql<{ priority: number }>`
    SELECT DISTINCT priority FROM queue.job WHERE name = ${FORECAST_QUEUE}`.execute(database.query());
  assert.deepEqual(rows, [{ priority: 3_000 }], 'the first of an enterprise account');
  assert.equal(await takeOverJobs({ ...forecasts, log }), 0);
  assert.partialDeepStrictEqual(await listForecastBacklogs(database), [
    { queue: 'forecasts', engine: null, waiting: 1, workers: 0 },
    { queue: FORECAST_QUEUE, engine: ENGINE_VERSION, waiting: 2 },
  ]);
});

test(`cancellation, deletion and removal find the job in the queue of its build [${testedKind}]`, async (t: TestContext) => {
  await using service = await openForecastService(testedKind);
  const { database, forecasts } = service;
  const queue = await openQueue(database, { queues: listQueues('next'), supervise: false });
  t.after(() => queue.stop());
  const caller = await service.account('enterprise');
  const [canceled, deleted, removed] = [
    (await create(caller)).data.forecast_id,
    (await create(caller)).data.forecast_id,
    (await create(caller)).data.forecast_id,
  ];
  assert.equal(await takeOverJobs({ ...forecasts, queue, checkpoints: checkpointsOf('next'), log }), 3);
  const unversioned = (await create(caller)).data.forecast_id;
  await makeUnversioned(service, unversioned);
  const account = { kind: 'account', accountId: caller.accountId, plan: 'enterprise', credential: 'session' } as never;
  const context = { ...forecasts, queue };
  for (const id of [canceled, unversioned]) await cancelForecast(context, account, id);
  assert.deepEqual(await readJobs(database), [
    'forecasts cancelled',
    ...['cancelled', 'created', 'created'].map((state) => `forecasts/next ${state}`),
  ]);
  await deleteForecast(context, account, deleted);
  assert.equal((await readJobs(database)).length, 3);
  const accountId = caller.accountId as string;
  const remove = await database.transaction((tx) => removeAccountForecasts(context, tx, accountId, new Date()));
  assert.deepEqual([remove.canceled, remove.forecasts], [1, 3], removed);
  assert.deepEqual(await readJobs(database), []);
  assert.ok(isLedgerSound(await checkLedger(database)));
});
