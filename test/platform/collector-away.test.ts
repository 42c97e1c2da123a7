import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi } from '../support/api/api.ts';
import { preparedFolder, startService } from '../support/cli/service.ts';
import { startCollector } from '../support/platform/collector.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

/** More than the buffer holds, so that some are dropped. */
const REQUESTS = 3_000;

/** Many requests of a service whose collector is out of order; then it ends. Gives what it logged. */
async function logOf(
  endpoint: string,
  context: TestContext,
  isWarned: (log: string) => boolean = () => true,
): Promise<string> {
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app, logged } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  for (let sent = 0; sent < REQUESTS; sent += 100) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => app.inject('/health/live')));
    assert.ok(replies.every(({ statusCode }) => statusCode === 200));
  }
  while (!isWarned(told.logged())) await sleep(50);
  const stopping = performance.now();
  await told.telemetry.stop();
  const ms = performance.now() - stopping;
  context.diagnostic(`stopped in ${ms.toFixed(0)} ms`);
  // By itself the last attempt would end after four seconds.
  assert.ok(ms < 3_500, `stopping took ${ms} ms`);
  return `${logged()}${told.logged()}`;
}

function warnings(log: string): { reason: string; msg: string }[] {
  const lines = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return lines.filter(({ level }) => level >= 40);
}

// First, because what others leave behind when they stop is counted a moment later.
test('a collector that comes back gets what comes after', async () => {
  let isBroken = true;
  await using collector = await startCollector((_request, response) => {
    response.writeHead(isBroken ? 400 : 200).end('{}');
  });
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  // A full batch goes at once; the others wait for their time.
  for (let sent = 0; sent < 512; sent += 1) await app.inject('/health/live');
  while (!/could not be sent/.test(told.logged())) await sleep(10);
  isBroken = false;
  for (let sent = 0; sent < 512; sent += 1) await app.inject('/health/ready');
  while (!/traces are taken again/.test(told.logged())) await sleep(10);
  const { value } = await told.page();
  await told.telemetry.stop();
  assert.equal(value('almanac_trace_exports_total', { outcome: 'failed' }), 1);
  assert.ok(collector.spans().some(({ name }) => name === 'GET /health/ready'));
  assert.deepEqual(
    warnings(told.logged()).map(({ reason }) => reason),
    ['400'],
  );
  assert.match(told.logged(), /traces are taken again/);
});

test('a collector that is down costs one line in the log', async (context) => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const said = warnings(await logOf(`http://127.0.0.1:${port}`, context, (log) => /could not be sent/.test(log)));
  assert.deepEqual(
    said.map(({ msg }) => msg),
    ['traces could not be sent; those spans are dropped'],
  );
});

test('so does one that asks for patience and then hangs', async (context) => {
  let asked = 0;
  await using collector = await startCollector((_request, response) => {
    asked += 1;
    if (asked <= 8) response.writeHead(503, { 'retry-after': '1' }).end();
  });
  assert.ok(warnings(await logOf(collector.url, context)).length <= 1);
});

test('and one that answers 500, of whose words nothing is told', async (context) => {
  await using collector = await startCollector((_request, response) => {
    response.writeHead(500).end('no room for somebody@example.org');
  });
  const log = await logOf(collector.url, context);
  assert.deepEqual(
    warnings(log).map(({ reason }) => reason),
    ['500'],
  );
  assert.doesNotMatch(log, /somebody/);
  assert.ok(collector.requests() > 0);
});

test('a service with a collector that hangs starts, serves, and ends by itself in time', async (context) => {
  await using collector = await startCollector(() => {});
  await using folder = await preparedFolder();
  await using service = await startService({
    data: folder.data,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' },
  });
  assert.equal((await service.fetch('/api/v1/me/access')).status, 200);
  const page = /metrics are at (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(service.stderr())?.[1] ?? '';
  assert.match(await (await fetch(page)).text(), /^almanac_queue_jobs_waiting\{queue="forecasts"\} 0$/m);
  // Not on the port that everybody reaches.
  assert.equal((await service.fetch('/metrics')).status, 404);
  const stopping = performance.now();
  const { code, signal, stderr } = await service.stop();
  context.diagnostic(`ended in ${(performance.now() - stopping).toFixed(0)} ms`);
  assert.deepEqual([code, signal], [0, null]);
  assert.doesNotMatch(stderr, /not stopped in time/);
});
