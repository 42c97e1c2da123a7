import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { decideShedding } from '../../src/forecasts/create/shed-load.ts';
import { assertFault } from '../api/assert-fault.ts';
import {
  type Caller,
  create,
  FORECASTS,
  inlineRequest,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

test('decides by the measured lateness alone', () => {
  const limits = { loopMs: 500, queueSeconds: 900 };
  const decide = (loopMs: number, queueSeconds: number) => decideShedding({ loopMs, queueSeconds }, limits);
  assert.equal(decide(500, 900), null);
  assert.deepEqual(decide(501, 0), { reason: 'event_loop', retryAfter: 10 });
  assert.deepEqual(decide(0, 901), { reason: 'queue', retryAfter: 30 });
  assert.deepEqual(decide(0, 1_000.5), { reason: 'queue', retryAfter: 101 });
  assert.deepEqual(decide(0, 1e9), { reason: 'queue', retryAfter: 300 });
  assert.equal(decideShedding({ loopMs: 1e9, queueSeconds: 1e9 }, { loopMs: 0, queueSeconds: 0 }), null, 'off');
});

const post = ({ credentials }: Caller, url: string, payload: object, headers: object = {}) => ({
  method: 'POST' as const,
  url: `/api${url}`,
  headers: { ...credentials, ...headers },
  payload,
});

test(`the backlog of one payer refuses its own forecasts and not those of others [${testedKind}]`, async () => {
  await using service = await openForecastService(testedKind, { environment: { ALMANAC_SHED_QUEUE_SECONDS: '60' } });
  const [greedy, other] = [await service.account('enterprise'), await service.account('enterprise')];
  await create(greedy);
  const { forecast_id: id } = (await create(greedy)).data;
  await sql`UPDATE queue.job SET start_after = now() - interval '100 seconds' WHERE data->>'forecast_id' = ${id}`.execute(
    service.database.query(),
  );
  const createAs = async (caller: Caller) => service.app.inject(post(caller, FORECASTS, inlineRequest()));
  await waitFor(
    () => createAs(greedy),
    ({ statusCode }) => statusCode === 503,
  );
  assert.equal((await createAs(other)).statusCode, 202);
});

test(`forecasts of a plan that wait too long refuse new ones, and nothing else [${testedKind}]`, async () => {
  await using telemetry = await openTelemetry({ ALMANAC_METRICS: '127.0.0.1:0' });
  await using service = await openForecastService(testedKind, { environment: { ALMANAC_SHED_QUEUE_SECONDS: '60' } });
  const { app, database } = service;
  const [caller, other] = [await service.account('enterprise'), await service.account('pro')];
  const key = { 'idempotency-key': 'first' };
  const first = await app.inject(post(caller, FORECASTS, inlineRequest(), key));
  const { forecast_id: id } = first.json().data;
  await sql`UPDATE queue.job SET start_after = now() - interval '100 seconds' WHERE data->>'forecast_id' = ${id}`.execute(
    database.query(),
  );
  const refused = await waitFor(
    async () => app.inject(post(caller, FORECASTS, inlineRequest({ title: 'late' }))),
    ({ statusCode }) => statusCode !== 202,
  );
  assert.match(assertFault(refused, 'UNAVAILABLE'), /^Forecasts of this plan wait too long for a worker, so nothing/);
  assert.ok(Number(refused.headers['retry-after']) >= 30);
  assertFault(await app.inject(post(caller, `${FORECASTS}/${id}/reproduce`, {})), 'UNAVAILABLE');
  assert.equal((await app.inject(post(other, FORECASTS, inlineRequest()))).statusCode, 202, 'another plan');
  const repeated = await app.inject(post(caller, FORECASTS, inlineRequest(), key));
  assert.deepEqual([repeated.statusCode, repeated.json().data.forecast_id], [202, id]);
  assert.equal((await app.inject(post(caller, `${FORECASTS}/estimate`, inlineRequest()))).statusCode, 200);
  assert.equal((await caller.request('GET', FORECASTS)).status, 200);
  const refusals = Number((await telemetry.page()).value('almanac_creations_refused_total', { reason: 'queue' }));
  assert.equal(refusals, 2);
  for (const { forecast_id } of (
    await caller.request<{ forecasts: { forecast_id: string }[] }>('GET', `${FORECASTS}?limit=100`)
  ).data.forecasts) {
    assert.equal((await caller.request('POST', `${FORECASTS}/${forecast_id}/cancel`)).status, 200);
  }
  await waitFor(
    () => create(caller),
    ({ status }) => status === 202,
  );
});

test(`a late event loop refuses new forecasts and uploads, and nothing else [${testedKind}]`, async () => {
  await using service = await openForecastService(testedKind, { environment: { ALMANAC_SHED_LOOP_MS: '20' } });
  const { app } = service;
  const pro = await service.account('pro');
  const { data } = await pro.request<{ workspaces: { id: string }[] }>('GET', '/v1/me/access');
  const id = (await create(pro)).data.forecast_id;
  // Blocks the loop, as a computation in it would.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  const refused = await waitFor(
    async () => app.inject(post(pro, FORECASTS, inlineRequest())),
    ({ statusCode }) => statusCode !== 202,
  );
  assert.match(assertFault(refused, 'UNAVAILABLE'), /^The service has too much to do, so nothing was created/);
  assert.equal(refused.headers['retry-after'], '10');
  const upload = `/v1/workspaces/${data.workspaces[0]?.id}/csv`;
  assertFault(await app.inject(post(pro, upload, {})), 'UNAVAILABLE');
  assert.equal((await pro.request('GET', `${FORECASTS}/${id}`)).status, 200);
  assert.equal((await pro.request('POST', `${FORECASTS}/${id}/cancel`)).status, 200);
});
