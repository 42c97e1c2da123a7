import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { beginTrace } from '../../src/platform/index.ts';
import { openApi } from '../support/api/api.ts';
import { startCollector } from '../support/platform/collector.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

/** More than the buffer holds, so that some spans are dropped. */
const SPANS = 3_000;
/** A full batch is sent immediately; others wait for the interval. */
const BATCH = 512;

/** Records many spans without the requests that would take far longer. */
function recordSpans(count: number): void {
  for (let recorded = 0; recorded < count; recorded += 1) {
    const span = beginTrace({ name: 'one of many', kind: 'internal' });
    assert.ok(span);
    span.end();
  }
}

/** Fills the buffer of a service with a broken collector, sends it requests, stops its telemetry and returns the log. */
async function runAndReadLog(endpoint: string, isWarned: (log: string) => boolean = () => true): Promise<string> {
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app, logged } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  recordSpans(SPANS);
  const replies = await Promise.all(Array.from({ length: 100 }, () => app.inject('/health/live')));
  assert.ok(replies.every(({ statusCode }) => statusCode === 200));
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
  await app.inject('/health/live');
  recordSpans(BATCH - 1);
  while (!/could not be sent/.test(telemetry.logged())) await sleep(10);
  isBroken = false;
  await app.inject('/health/ready');
  recordSpans(BATCH - 1);
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
