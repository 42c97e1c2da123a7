import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BigqueryScene,
  connectAtOnce,
  createBigqueryScene,
  describe,
  PROJECT,
  queryOf,
  type SceneOptions,
  WEATHER,
} from '../../../../test/support/datasets/bigquery-scene.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { cutBody, type Reply, sendHtml, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { outboundMigrations, readProviderStates } from '../../../platform/index.ts';
import { createBigqueryEngine } from './bigquery-engine.ts';

/** An error reply of BigQuery, written as Google writes JSON. */
function errorReply(status: number, reason: string, message = 'SECRET-REPLY'): Reply {
  const error = { code: status, message, errors: [{ message, domain: 'global', reason }] };
  return sendText(JSON.stringify({ error }, null, 2), status);
}

type Call = 'describe' | 'dryRun' | 'read';

/** Calls the engine with the next replies to its requests replaced, and returns the fault. */
async function faultIn({ engine, server, clock }: BigqueryScene, call: Call, replies: readonly Reply[]) {
  const table = await describe(engine);
  // The metadata are read again.
  clock.now += 60_000;
  server.script[call === 'describe' ? 'table' : 'query'].push(...replies);
  const calls = {
    describe: () => engine.describe(table.name),
    dryRun: () => engine.dryRun(table, queryOf(table), {}),
    read: () => engine.read(table, queryOf(table), { estimatedBytes: 1 }),
  };
  const result = await calls[call]().catch((error: unknown) => error);
  assert.equal((result as Error)?.name, 'Fault', String(result));
  const { code, message } = result as { readonly code: string; readonly message: string };
  assert.doesNotMatch(message, /SECRET/);
  return { code, message };
}

async function faultOf(call: Call, replies: readonly Reply[], options: SceneOptions = {}) {
  await using scene = await createBigqueryScene(options);
  return await faultIn(scene, call, replies);
}

const ACCESS_DENIED =
  'bigquery denied access: the service account of this service lacks permission, or the table does not exist. The service account needs the role BigQuery Job User in the project of ALMANAC_BIGQUERY_PROJECT, which needs billing.';
const CALLS = ['describe', 'dryRun', 'read'] as const;

test('turns the reasons of BigQuery into faults', async () => {
  const limited = 'bigquery received too many requests.';
  const cases: readonly (readonly [reply: Reply, message: string, times?: number])[] = [
    [errorReply(403, 'accessDenied'), ACCESS_DENIED],
    [errorReply(403, 'billingNotEnabled'), ACCESS_DENIED],
    [errorReply(403, 'rateLimitExceeded'), limited],
    [errorReply(403, 'quotaExceeded'), limited],
    [errorReply(400, 'jobRateLimitExceeded'), limited],
    [sendText('{"error":{"errors":[{"reason":"quotaExceeded"}]}}', 403), limited],
    [errorReply(400, 'jobBackendError'), 'bigquery is unavailable.'],
    [errorReply(400, 'jobInternalError'), 'bigquery is unavailable.'],
    [errorReply(400, 'stopped'), 'bigquery did not respond in time.'],
    [errorReply(400, 'invalid'), 'bigquery rejected the request (HTTP 400).'],
    [errorReply(403, 'x', '"reason": "quotaExceeded"'), ACCESS_DENIED],
    [errorReply(503, 'backendError'), 'bigquery is unavailable (HTTP 503).', 4],
    [errorReply(429, 'rateLimitExceeded'), limited, 4],
    [errorReply(401, 'authError'), 'bigquery rejected the credential of this service (HTTP 401).', 2],
    [sendHtml, 'bigquery sent an invalid reply (not JSON).', 2],
    [cutBody, 'bigquery ended a reply early (ECONNRESET).', 4],
    [(_request, response) => response.destroy(), 'bigquery cannot be reached (ECONNRESET).', 4],
    [sendText('', 302, { location: 'http://127.0.0.1:9/SECRET' }), 'bigquery sent an invalid reply.', 2],
  ];
  await using scene = await createBigqueryScene();
  for (const call of CALLS) {
    for (const [reply, message, times = 1] of cases) {
      const fault = await faultIn(scene, call, Array(times).fill(reply));
      assert.deepEqual(fault, { code: 'PROVIDER_FAILED', message });
    }
  }
});

test('retries what passes: errors of the server, busy replies, lost connections', async () => {
  await using scene = await createBigqueryScene();
  const { engine, server } = scene;
  const passing: readonly Reply[] = [
    sendText('', 500),
    sendText('', 429, { 'retry-after': '2' }),
    (_request, response) => response.destroy(),
  ];
  server.script.token.push(...passing);
  server.script.table.push(...passing);
  const table = await describe(engine);
  server.script.query.push(...passing);
  assert.equal(await engine.dryRun(table, queryOf(table), {}), 88);
  server.script.query.push(...passing);
  const { values } = await engine.read(table, queryOf(table, { filters: [['station', 'Oslo']] }), {
    estimatedBytes: 88,
  });
  assert.equal(values.length, 4);
  const ids = server.requests
    .filter(({ kind }) => kind === 'query')
    .slice(4)
    .map(({ body }) => Object(body).requestId);
  assert.deepEqual([ids.length, new Set(ids).size], [4, 1]);
});

test('a query over the cap of billed bytes is 422, whatever its status', async () => {
  const { code, message } = await faultOf('read', [], { tables: [{ ...WEATHER, bytes: 104_857_601 }] });
  assert.equal(code, 'UNPROCESSABLE');
  assert.match(message, /^source: BigQuery would bill this read for more than 104,857,600 bytes.+Narrow it with start/);
  const server = await faultOf('read', Array(4).fill(errorReply(500, 'bytesBilledLimitExceeded')));
  assert.deepEqual(server, { code, message });
});

test('a query that BigQuery refuses is 422, with the remedy if the table needs a filter', async () => {
  for (const call of ['dryRun', 'read'] as const) {
    const plain = await faultOf(call, [errorReply(400, 'invalidQuery')]);
    assert.deepEqual([plain.code, /partitioned/.test(plain.message)], ['UNPROCESSABLE', false]);
    const partitioned = await faultOf(call, [], { tables: [{ ...WEATHER, requiredPartition: 'day' }] });
    assert.equal(partitioned.code, 'UNPROCESSABLE');
    assert.match(partitioned.message, /set start or end, with the column by which it is partitioned as time_field/);
  }
  const tables = [{ ...WEATHER, requiredPartition: 'day' }];
  await using scene = await createBigqueryScene({ tables });
  const table = await describe(scene.engine);
  assert.equal(table.requiresPartitionFilter, true);
  const bounded = queryOf(table, { from: Date.UTC(2024, 0, 3) });
  assert.equal((await scene.engine.read(table, bounded, { estimatedBytes: 1 })).times.length, 2);
});

test('a table that no longer exists is 404, and a billing project that does not exist is not', async () => {
  for (const call of ['dryRun', 'read'] as const) {
    const missing = errorReply(404, 'notFound', 'Not found: Table bigquery-public-data:weather.daily');
    assert.equal((await faultOf(call, [missing])).code, 'NOT_FOUND');
  }
  await using scene = await createBigqueryScene();
  const { account, server, clock } = scene;
  const parts = { clock: { now: () => new Date(clock.now) }, account, url: `${server.url}/` };
  const engine = createBigqueryEngine({ ...parts, project: 'no-such-project', connect: connectAtOnce });
  const table = await describe(engine);
  await assert.rejects(engine.dryRun(table, queryOf(table), {}), {
    code: 'PROVIDER_FAILED',
    message: /ALMANAC_BIGQUERY_PROJECT/,
  });
});

test('refuses dry runs without a number of bytes', async () => {
  await using scene = await createBigqueryScene();
  for (const bytes of [undefined, null, 88, '-1', '1e3', '', '9'.repeat(19)]) {
    const { code } = await faultIn(scene, 'dryRun', [sendJson({ jobComplete: true, totalBytesProcessed: bytes })]);
    assert.equal(code, 'PROVIDER_FAILED');
  }
});

test('refuses replies about a job of another project, or without a job', async () => {
  await using scene = await createBigqueryScene();
  const { engine, server } = scene;
  const table = await describe(engine);
  const fields = [
    { name: 't', type: 'INTEGER' },
    { name: 'v', type: 'FLOAT' },
  ];
  const replyOf = (jobReference: unknown, jobComplete: unknown = true) =>
    sendJson({ jobReference, jobComplete, schema: { fields }, totalRows: '0' });
  const read = () => engine.read(table, queryOf(table), { estimatedBytes: 1 });
  const job = { projectId: PROJECT, jobId: 'job_1', location: 'US' };
  const wrong = [{ ...job, projectId: 'other' }, { ...job, jobId: '../x' }, { ...job, jobId: 7 }, {}, null, undefined];
  for (const reference of wrong) {
    server.script.query.push(replyOf(reference));
    await assert.rejects(read(), { code: 'PROVIDER_FAILED', message: /^bigquery sent an invalid reply/ });
  }
  server.script.query.push(replyOf(job, 'true'));
  await assert.rejects(read(), { code: 'PROVIDER_FAILED' });
  server.script.query.push(replyOf(job));
  assert.equal((await read()).times.length, 0);
});

forEachDatabase('requests count for the budget of BigQuery', { migrations: [outboundMigrations] }, async (fixture) => {
  await using scene = await createBigqueryScene();
  const { account, server, clock } = scene;
  const parts = { database: fixture.database, clock: { now: () => new Date(clock.now) }, account };
  const engine = createBigqueryEngine({ ...parts, project: PROJECT, url: server.url });
  await describe(engine);
  const [state] = await readProviderStates(fixture.database, () => clock.now);
  assert.partialDeepStrictEqual(state, { provider: 'bigquery', requestsLeft: 600 / 6 - 2, state: 'closed' });
});
