import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { exposeMetrics, MIGRATIONS } from '../../src/compose/index.ts';
import { ConfigError, METRICS } from '../../src/platform/index.ts';
import { openApi } from '../support/api/api.ts';
import { create, FORECASTS, openForecastService } from '../support/forecasts/forecast-service.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const ON = { ALMANAC_METRICS: '127.0.0.1:0' };

const kind = testedKind;
test(`counts waiting jobs and their age by queue, and canceled forecasts by code [${kind}]`, async () => {
  await using telemetry = await openTelemetry(ON);
  await using service = await openForecastService(kind);
  const { database } = service;
  exposeMetrics({ database }, telemetry);
  const person = await service.account();
  const started = [await create(person), await create(person)];
  const queue = { queue: 'forecasts' };
  const page = await telemetry.page();
  assert.equal(page.value('almanac_queue_jobs_waiting', queue), 2);
  const age = Number(page.value('almanac_queue_oldest_waiting_seconds', queue));
  assert.ok(age > 0 && age < 60, `${age} s`);
  assert.deepEqual(
    page.labelsOf('almanac_queue_jobs_waiting').filter(({ queue: name }) => name?.startsWith('_')),
    [],
  );
  await person.request('POST', `${FORECASTS}/${started[0]?.data.forecast_id}/cancel`);
  const after = await telemetry.page();
  assert.equal(after.value('almanac_forecasts_failed_total', { code: 'FORECAST_CANCELED' }), 1);
  assert.equal(after.value('almanac_queue_jobs_waiting', queue), 1);
});

test('serves the page without the database and sends a hanging database one query', async () => {
  await using telemetry = await openTelemetry(ON);
  const connections = () => ({ inUse: 3, waiting: 2 });
  let queries = 0;
  const hanging = () => {
    queries += 1;
    return new Promise<never>(() => {});
  };
  const proofs = async () => ({ pending: 4, stamping: 2 });
  const queues = async () => [{ queue: 'mail', waiting: 7, oldestSeconds: 1.5 }];
  const forecasts = async () => [];
  telemetry.exposeMetrics({ connections, queues, forecasts, proofs });
  assert.equal((await telemetry.page()).value('almanac_proofs_unstamped', { status: 'pending' }), 4);
  assert.equal((await telemetry.page()).value('almanac_queue_jobs_waiting', { queue: 'mail' }), 7);

  telemetry.exposeMetrics({ connections, queues: hanging, forecasts, proofs });
  const pages = [...(await Promise.all([telemetry.page(), telemetry.page()])), await telemetry.page()];
  assert.equal(queries, 1);
  for (const { value, labelsOf } of pages) {
    assert.equal(value('almanac_queue_readable'), 0);
    assert.deepEqual(labelsOf('almanac_queue_jobs_waiting'), [], 'outdated values are omitted');
    assert.deepEqual(labelsOf('almanac_proofs_unstamped'), []);
    assert.equal(value('almanac_database_connections', { state: 'in_use' }), 3);
    assert.equal(value('almanac_database_connections', { state: 'waiting' }), 2);
  }

  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { database } = fixture;
  exposeMetrics({ database }, telemetry);
  await database.close();
  assert.equal((await telemetry.page()).value('almanac_queue_readable'), 0);
});

test('counts requests by operation, never by path', async () => {
  await using telemetry = await openTelemetry(ON);
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '6' });
  fixture.cleanup(() => app.close());
  const unknown = ['/api/v1/nothing/usr_123', '/%ff', '/metrics', '/api/v1/ensemble-forecasts/ef_1?x=1'];
  for (const url of unknown) await app.inject({ url, remoteAddress: '203.0.113.9' });
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/x', remoteAddress: '203.0.113.10' });
  for (let sent = 0; sent < 5; sent += 1) await app.inject({ url: '/api/v1/me/access', remoteAddress: '203.0.113.9' });
  const page = await telemetry.page();
  const count = 'almanac_http_request_duration_seconds_count';
  assert.equal(page.value(count, { operation: 'unknown', method: 'GET', status: '4xx' }), 3);
  assert.equal(page.value(count, { operation: 'unknown', method: 'other', status: '4xx' }), 1);
  assert.equal(page.value(count, { operation: 'readForecast', method: 'GET', status: '4xx' }), 1);
  assert.equal(page.value(count, { operation: 'readAccess', method: 'GET', status: '4xx' }), 5);
  assert.equal(page.value('almanac_rate_limited_total', { operation: 'readAccess' }), 3);
  assert.equal(page.value('almanac_http_requests_in_flight'), 0);
});

test('serves GET /metrics and nothing else, until the stop', async () => {
  const telemetry = await openTelemetry(ON);
  const page = telemetry.metricsUrl ?? '';
  const got = await fetch(page);
  assert.equal(got.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(got.headers.get('cache-control'), 'no-store');
  assert.equal((await fetch(page, { method: 'HEAD' })).status, 200);
  const posted = await fetch(page, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal((await fetch(new URL('/', page))).status, 404);
  assert.match(telemetry.logged(), /metrics are served at http:\/\/127\.0\.0\.1:\d+\/metrics/);
  assert.doesNotMatch(telemetry.logged(), /other machines/);
  await telemetry.stop();
  await assert.rejects(fetch(page));
});

test('refuses an unusable address and names it, and warns about a public one', async () => {
  const occupied = createServer();
  await new Promise<void>((listening) => occupied.listen(0, '127.0.0.1', listening));
  const { port } = occupied.address() as { port: number };
  const assertRefused = (address: string, message: RegExp) =>
    assert.rejects(openTelemetry({ ALMANAC_METRICS: address }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      return true;
    });
  await assertRefused(`127.0.0.1:${port}`, /^ALMANAC_METRICS 127\.0\.0\.1:\d+ is in use\. Stop the other listener/);
  await assertRefused('192.0.2.1:9464', /^ALMANAC_METRICS 192\.0\.2\.1:9464 is not an address of this machine\.$/);
  occupied.close();
  await using telemetry = await openTelemetry({ ALMANAC_METRICS: '0.0.0.0:0' });
  assert.match(telemetry.logged(), /other machines can read the metrics without a credential/);
});

test('documents every metric', () => {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  for (const [name, { labels }] of Object.entries(METRICS)) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`almanac_${name}\` |`));
    assert.ok(row, name);
    for (const label of labels) assert.ok(row.includes(`\`${label}\``), `${name} ${label}`);
  }
});
