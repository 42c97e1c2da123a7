import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADAPTER_SCENES, type RunningScene, seriesOf } from '../../../test/support/market/adapter-scenes.ts';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { cutBody, type Reply, sendHtml, sendJson } from '../../../test/support/platform/wire-server.ts';
import { beginTrace, createProviderClient, runInSpan } from '../../platform/index.ts';

/** Replies that repeat the credentials of the request, as some error pages do. */
const repeatHeaders: Reply = (request, response) => sendJson(request.headers, 403)(request, response, () => {});
const FAULTS: readonly Reply[] = [repeatHeaders, sendJson({}, 401), cutBody, sendHtml, sendJson({}, 500)];

/** Calls everything that sends requests, and ignores errors: what they leave behind is of interest. */
async function callAll(running: RunningScene, symbol: string): Promise<void> {
  const { provider, now } = running;
  const http = createProviderClient({ provider: provider.id, gate: null, sleep: async () => {} });
  const series = seriesOf({ symbol }, running);
  await provider.fetchPage({ ...series, end: now, limit: 10 }, null, http).catch(() => {});
  const day = Date.UTC(2024, 2, 4);
  const query = { symbols: [symbol], adjustment: 'raw', start: day, end: day + 1 } as const;
  if (provider.bulk?.by === 'symbols') await provider.bulk.fetchDays(query, null, http).catch(() => {});
  if (provider.bulk?.by === 'date') await provider.bulk.fetchDate(day, 'raw', http).catch(() => {});
  await provider
    .readListing?.(http)
    .next()
    .catch(() => {});
}

test('keys appear in no span, log line or metric, whatever a provider replies', async () => {
  await using collector = await startCollector();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' };
  await using telemetry = await openTelemetry(settings);
  const secrets: string[] = [];
  const span = beginTrace({ name: 'all adapters', kind: 'consumer' });
  assert.ok(span);
  await runInSpan(span, async () => {
    for (const scene of ADAPTER_SCENES) {
      await using running = await scene.start();
      secrets.push(...running.secrets);
      await callAll(running, scene.symbol);
      for (const fault of FAULTS) {
        running.server.script.push(...Array(4).fill(fault));
        await callAll(running, scene.symbol);
        running.server.script.length = 0;
      }
    }
  });
  span.end();
  const page = await telemetry.pageText();
  await telemetry.stop();
  assert.ok(collector.spans().filter(({ name }) => name === 'GET').length > 10, 'requests were traced');
  assert.ok(secrets.length >= 3);
  const text = `${collector.received()}\n${telemetry.logged()}\n${page}`;
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
});
