import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { MIGRATIONS, tellOf } from '../../src/compose/index.ts';
import { ConfigError, METRICS } from '../../src/platform/index.ts';
import { openApi } from '../support/api/api.ts';
import { create, eventually, FORECASTS, openForecastService } from '../support/forecasts/forecast-service.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const ON = { ALMANAC_METRICS: '127.0.0.1:0' };

test('forecasts move the values that they should, and the page is of the format', async () => {
  await using told = await openTelemetry(ON);
  await using service = await openForecastService(testedKind, { worker: true });
  const { database } = service;
  tellOf({ database } as Parameters<typeof tellOf>[0], told.telemetry);
  const before = await told.page();
  assert.equal(before.value('almanac_forecasts_created_total'), 0);
  assert.equal(before.value('almanac_engine_starts_total'), 0);
  assert.equal(before.value('almanac_build_info', { version: '0.1.0', node: process.version }), 1);

  const person = await service.account();
  const { data } = await create(person);
  await eventually(
    () => person.ask<{ status: string }>('GET', `${FORECASTS}/${data.forecast_id}`),
    (reply) => reply.data.status === 'completed',
  );
  const page = await eventually(told.page, ({ value }) => value('almanac_job_duration_seconds_count', DONE) === 1);
  assert.equal(page.value('almanac_forecasts_created_total'), 1);
  assert.equal(page.value('almanac_forecasts_completed_total'), 1);
  assert.equal(page.value('almanac_engine_starts_total'), 1);
  for (const model of ['theta', 'ets']) {
    assert.equal(page.value('almanac_model_fit_duration_seconds_count', { model }), 1);
    assert.ok(Number(page.value('almanac_model_fit_duration_seconds_sum', { model })) > 0);
  }
  assert.deepEqual(page.labelsOf('almanac_model_fit_duration_seconds_count').length, 2);
  const asked = { operation: 'createForecast', method: 'POST', status: '2xx' };
  assert.equal(page.value('almanac_http_request_duration_seconds_count', asked), 1);
  assert.ok(Number(page.value('almanac_database_query_duration_seconds_count', { statement: 'insert' })) > 0);
  assert.equal(page.value('almanac_http_requests_in_flight'), 0);
  assert.equal(page.value('almanac_queue_readable'), 1);
  assert.equal(page.value('almanac_queue_jobs_waiting', { queue: 'forecasts' }), 0);
  // The page itself was waiting for its connection or had it.
  assert.equal(page.value('almanac_database_connections', { state: 'waiting' }), 0);
  assert.ok(page.families.some(({ name }) => name === 'process_cpu_user_seconds_total'));
  assert.ok(page.families.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds'));
});

const DONE = { queue: 'forecasts', outcome: 'done' };

const kind = testedKind;
test(`jobs that wait are counted by queue, and for how long; a canceled forecast by its code [${kind}]`, async () => {
  await using told = await openTelemetry(ON);
  await using service = await openForecastService(kind);
  const { database } = service;
  tellOf({ database } as Parameters<typeof tellOf>[0], told.telemetry);
  const person = await service.account();
  const started = [await create(person), await create(person)];
  const queue = { queue: 'forecasts' };
  const page = await told.page();
  assert.equal(page.value('almanac_queue_jobs_waiting', queue), 2);
  const age = Number(page.value('almanac_queue_oldest_waiting_seconds', queue));
  assert.ok(age > 0 && age < 60, `${age} s`);
  assert.deepEqual(
    page.labelsOf('almanac_queue_jobs_waiting').filter(({ queue: name }) => name?.startsWith('_')),
    [],
  );
  await person.ask('POST', `${FORECASTS}/${started[0]?.data.forecast_id}/cancel`);
  const after = await told.page();
  assert.equal(after.value('almanac_forecasts_failed_total', { code: 'FORECAST_CANCELED' }), 1);
  assert.equal(after.value('almanac_queue_jobs_waiting', queue), 1);
});

test('a page comes whatever the database does, and a database that hangs is asked once', async () => {
  await using told = await openTelemetry(ON);
  const connections = () => ({ inUse: 3, waiting: 2 });
  let asked = 0;
  const hanging = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  told.telemetry.read({ connections, queues: async () => [{ queue: 'mail', waiting: 7, oldestSeconds: 1.5 }] });
  assert.equal((await told.page()).value('almanac_queue_jobs_waiting', { queue: 'mail' }), 7);

  told.telemetry.read({ connections, queues: hanging });
  const pages = [...(await Promise.all([told.page(), told.page()])), await told.page()];
  assert.equal(asked, 1);
  for (const { value, labelsOf } of pages) {
    assert.equal(value('almanac_queue_readable'), 0);
    assert.deepEqual(labelsOf('almanac_queue_jobs_waiting'), [], 'nothing old is told as new');
    assert.equal(value('almanac_database_connections', { state: 'in_use' }), 3);
    assert.equal(value('almanac_database_connections', { state: 'waiting' }), 2);
  }

  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { database } = fixture;
  tellOf({ database } as Parameters<typeof tellOf>[0], told.telemetry);
  await database.close();
  assert.equal((await told.page()).value('almanac_queue_readable'), 0);
});

test('requests are counted by what they ask for, never by their address', async () => {
  await using told = await openTelemetry(ON);
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '6' });
  fixture.cleanup(() => app.close());
  const odd = ['/api/v1/nothing/usr_123', '/%ff', '/metrics', '/api/v1/ensemble-forecasts/ef_1?x=1'];
  for (const url of odd) await app.inject({ url, remoteAddress: '203.0.113.9' });
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/x', remoteAddress: '203.0.113.10' });
  for (let sent = 0; sent < 5; sent += 1) await app.inject({ url: '/api/v1/me/access', remoteAddress: '203.0.113.9' });
  const page = await told.page();
  const count = 'almanac_http_request_duration_seconds_count';
  assert.equal(page.value(count, { operation: 'unknown', method: 'GET', status: '4xx' }), 3);
  assert.equal(page.value(count, { operation: 'unknown', method: 'other', status: '4xx' }), 1);
  assert.equal(page.value(count, { operation: 'readForecast', method: 'GET', status: '4xx' }), 1);
  assert.equal(page.value(count, { operation: 'readAccess', method: 'GET', status: '4xx' }), 5);
  assert.equal(page.value('almanac_rate_limited_total', { operation: 'readAccess' }), 3);
  assert.equal(page.value('almanac_http_requests_in_flight'), 0);
});

test('requests in flight are counted while they are, also those whose client goes away', async () => {
  await using told = await openTelemetry(ON);
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database, {}, (routes) => {
    routes.get('/endless', () => new Promise(() => {}));
  });
  fixture.cleanup(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = new AbortController();
  const waiting = fetch(`${url}/endless`, { signal: stop.signal });
  await eventually(told.page, ({ value }) => value('almanac_http_requests_in_flight') === 1);
  stop.abort();
  await assert.rejects(waiting);
  const page = await eventually(told.page, ({ value }) => value('almanac_http_requests_in_flight') === 0);
  const labels = { operation: '/endless', method: 'GET', status: 'aborted' };
  assert.equal(page.value('almanac_http_request_duration_seconds_count', labels), 1);
});

test('the listener answers GET /metrics and nothing else, and is gone after the stop', async () => {
  const told = await openTelemetry(ON);
  const page = told.telemetry.metricsUrl ?? '';
  const got = await fetch(page);
  assert.equal(got.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(got.headers.get('cache-control'), 'no-store');
  assert.equal((await fetch(page, { method: 'HEAD' })).status, 200);
  const posted = await fetch(page, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal((await fetch(new URL('/', page))).status, 404);
  assert.match(told.logged(), /metrics are at http:\/\/127\.0\.0\.1:\d+\/metrics/);
  assert.doesNotMatch(told.logged(), /other machines/);
  await told.telemetry.stop();
  await assert.rejects(fetch(page));
});

test('an address that cannot be listened on is refused by name; one that others reach is pointed out', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as { port: number };
  const isRefused = (address: string, message: RegExp) =>
    assert.rejects(openTelemetry({ ALMANAC_METRICS: address }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      return true;
    });
  await isRefused(`127.0.0.1:${port}`, /^ALMANAC_METRICS 127\.0\.0\.1:\d+ is taken\. Stop what listens there/);
  await isRefused('192.0.2.1:9464', /^ALMANAC_METRICS 192\.0\.2\.1:9464 is not an address of this machine\.$/);
  taken.close();
  await using told = await openTelemetry({ ALMANAC_METRICS: '0.0.0.0:0' });
  assert.match(told.logged(), /metrics can be read by other machines, without a credential/);
});

test('every metric is in the documentation', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  for (const [name, { labels }] of Object.entries(METRICS)) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`almanac_${name}\` |`));
    assert.ok(row, name);
    for (const label of labels) assert.ok(row.includes(`\`${label}\``), `${name} ${label}`);
  }
});
