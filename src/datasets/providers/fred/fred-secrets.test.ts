import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createFredScene } from '../../../../test/support/datasets/fred-scene.ts';
import { startCollector } from '../../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../../test/support/platform/telemetry.ts';
import { cutBody, type Reply, sendHtml, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { beginTrace, createProviderClient, ProviderError, runInSpan } from '../../../platform/index.ts';

// FRED's key is a part of every address, and its error pages may repeat the address.

const repeatAddress =
  (status: number, write: (address: string) => string, headers: Record<string, string> = {}): Reply =>
  (request: IncomingMessage, response) =>
    sendText(write(request.url ?? ''), status, headers)(request, response, () => {});

const asError = (address: string) => JSON.stringify({ error_code: 400, error_message: `Bad Request.  ${address}` });
const asKeyError = (address: string) => asError(`The value for variable api_key is not registered: ${address}`);

const FAULTS: readonly Reply[] = [
  ...[400, 401, 403, 404, 429, 500].map((status) => repeatAddress(status, asError)),
  repeatAddress(400, asKeyError),
  repeatAddress(200, asError),
  repeatAddress(200, (address) => address),
  repeatAddress(200, (address) => JSON.stringify({ seriess: [{ id: address }], observations: [address], offset: 0 })),
  repeatAddress(302, (address) => address, { location: '/elsewhere' }),
  repeatAddress(200, (address) => address, { 'content-encoding': 'gzip' }),
  cutBody,
  sendHtml,
  (_request, response) => response.destroy(),
];

test('the key appears in no error, span, log line or metric, whatever FRED replies', async () => {
  await using collector = await startCollector();
  await using telemetry = await openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ALMANAC_METRICS: '127.0.0.1:0',
  });
  await using scene = await createFredScene();
  const { adapter, server, key } = scene;
  assert.ok(key);
  const http = createProviderClient({ provider: adapter.id, gate: null, sleep: async () => {} });
  const calls: readonly (() => Promise<unknown>)[] = [
    () => adapter.readStructure('GDP', http),
    () => adapter.readSeries({ seriesId: 'GDP', dimensions: {}, vintage: '2025-02-05' }, http),
    () => adapter.readListing(http)[Symbol.asyncIterator]().next(),
    async () => adapter.search?.('gross product', 20, http),
  ];
  const span = beginTrace({ name: 'every fault', kind: 'consumer' });
  assert.ok(span);
  let text = '';
  await runInSpan(span, async () => {
    for (const call of calls) {
      for (const [i, fault] of FAULTS.entries()) {
        server.script.push(...Array(4).fill(fault));
        const error = await call().then(
          () => assert.fail(`no error for fault ${i}`),
          (thrown: unknown) => thrown,
        );
        server.script.length = 0;
        assert.ok(error instanceof ProviderError, inspect(error));
        text += `${inspect(error, { showHidden: true, depth: 10 })}\n${JSON.stringify(error)}\n${error.stack}\n`;
      }
    }
  });
  span.end();
  assert.ok(server.requests.every(({ query }) => query.api_key === key));
  const page = await telemetry.pageText();
  await telemetry.stop();
  assert.ok(collector.spans().filter(({ name }) => name === 'GET').length > 10, 'requests were traced');
  const everything = `${text}\n${collector.received()}\n${telemetry.logged()}\n${page}`;
  assert.ok(text.includes('fred rejected the request (HTTP 400)'));
  for (const secret of [key, 'api_key=', 'search_text']) assert.ok(!everything.includes(secret), secret);
});

test('refuses a reply whose texts contain the key, because they would be stored', async () => {
  await using scene = await createFredScene();
  const { adapter, server, key } = scene;
  const http = createProviderClient({ provider: adapter.id, gate: null, sleep: async () => {} });
  const echo = { id: 'GDP', title: `GDP ${key}`, frequency_short: 'Q', units: 'Dollars' };
  for (const call of [() => adapter.readStructure('GDP', http), async () => adapter.search?.('gdp', 20, http)]) {
    server.script.push(sendJson({ seriess: [echo] }));
    await assert.rejects(call(), { name: 'ProviderError', fault: 'MALFORMED' });
  }
});
