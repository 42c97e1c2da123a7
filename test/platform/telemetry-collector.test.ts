import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi } from '../support/api/api.ts';
import { preparedFolder, startService } from '../support/cli/service.ts';
import { startCollector } from '../support/platform/collector.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

/** More than the buffer holds, so that some spans are dropped. */
const REQUESTS = 3_000;

/** Sends many requests to a service with a broken collector, stops its telemetry and returns the log. */
async function runAndReadLog(endpoint: string, isWarned: (log: string) => boolean = () => true): Promise<string> {
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app, logged } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  for (let sent = 0; sent < REQUESTS; sent += 100) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => app.inject('/health/live')));
    assert.ok(replies.every(({ statusCode }) => statusCode === 200));
  }
  while (!isWarned(telemetry.logged())) await sleep(50);
  await telemetry.stop();
  return `${logged()}${telemetry.logged()}`;
}

function warnings(log: string): { reason: string; msg: string }[] {
  const lines = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return lines.filter(({ level }) => level >= 40);
}

test('sends later spans to a collector that recovers', async () => {
  let isBroken = true;
  await using collector = await startCollector((_request, response) => {
    response.writeHead(isBroken ? 400 : 200).end('{}');
  });
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  // A full batch is sent immediately; others wait for the interval.
  for (let sent = 0; sent < 512; sent += 1) await app.inject('/health/live');
  while (!/could not be sent/.test(telemetry.logged())) await sleep(10);
  isBroken = false;
  for (let sent = 0; sent < 512; sent += 1) await app.inject('/health/ready');
  while (!/traces are accepted again/.test(telemetry.logged())) await sleep(10);
  const { value } = await telemetry.page();
  await telemetry.stop();
  assert.equal(value('almanac_trace_exports_total', { outcome: 'failed' }), 1);
  assert.ok(collector.spans().some(({ name }) => name === 'GET /health/ready'));
  assert.deepEqual(
    warnings(telemetry.logged()).map(({ reason }) => reason),
    ['400'],
  );
  assert.match(telemetry.logged(), /traces are accepted again/);
});

test('logs one line for a collector that is down', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const logged = warnings(await runAndReadLog(`http://127.0.0.1:${port}`, (log) => /could not be sent/.test(log)));
  assert.deepEqual(
    logged.map(({ msg }) => msg),
    ['traces could not be sent; their spans are dropped'],
  );
});

test('stops without waiting for a collector that delays and then hangs', async () => {
  let requests = 0;
  await using collector = await startCollector((_request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503, { 'retry-after': '1' }).end();
  });
  assert.ok(warnings(await runAndReadLog(collector.url)).length <= 1);
  assert.ok(collector.openRequests() > 0, 'the collector still owes a reply');
});

test('logs the status of a collector that replies 500, without its text', async () => {
  await using collector = await startCollector((_request, response) => {
    response.writeHead(500).end('no room for alice@example.org');
  });
  const log = await runAndReadLog(collector.url, (logged) => /could not be sent/.test(logged));
  assert.deepEqual(
    warnings(log).map(({ reason }) => reason),
    ['500'],
  );
  assert.doesNotMatch(log, /alice/);
  assert.ok(collector.requests() > 0);
});

test('starts, serves and stops a service whose collector hangs', async () => {
  await using collector = await startCollector(() => {});
  await using folder = await preparedFolder();
  await using service = await startService({
    data: folder.data,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' },
  });
  assert.equal((await service.fetch('/api/v1/me/access')).status, 200);
  const page = /metrics are served at (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(service.stderr())?.[1] ?? '';
  assert.match(await (await fetch(page)).text(), /^almanac_queue_jobs_waiting\{queue="forecasts"\} 0$/m);
  // Not on the public port.
  assert.equal((await service.fetch('/metrics')).status, 404);
  const { code, signal, stderr } = await service.stop();
  assert.deepEqual([code, signal], [0, null]);
  assert.doesNotMatch(stderr, /not stopped in time/);
});
