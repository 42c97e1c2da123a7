import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { testAccount } from '../../../../test/support/datasets/bigquery-accounts.ts';
import { createBigqueryScene, describe, queryOf } from '../../../../test/support/datasets/bigquery-scene.ts';
import type { RequestKind } from '../../../../test/support/datasets/bigquery-server.ts';
import { startCollector } from '../../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../../test/support/platform/telemetry.ts';
import { cutBody, type Reply, sendHtml, sendText } from '../../../../test/support/platform/wire-server.ts';
import { beginTrace, runInSpan } from '../../../platform/index.ts';

// A reply may repeat the headers and the body of its request.

const repeat =
  (status: number, write: (text: string) => string, headers: Record<string, string> = {}): Reply =>
  (request: IncomingMessage, response) =>
    sendText(write(`${request.url} ${request.headers.authorization} SECRET`), status, headers)(
      request,
      response,
      () => {},
    );

const asError = (text: string) =>
  JSON.stringify({
    error: { message: text, errors: [{ message: text, reason: 'invalidQuery' }] },
    error_description: text,
  });

const FAULTS: readonly Reply[] = [
  ...[400, 401, 403, 404, 429, 500].map((status) => repeat(status, asError)),
  repeat(200, asError),
  repeat(200, (text) => text),
  repeat(200, (text) => JSON.stringify({ access_token: [text], location: text, jobReference: { jobId: text } })),
  repeat(302, (text) => text, { location: '/elsewhere' }),
  cutBody,
  sendHtml,
  (_request, response) => response.destroy(),
];

test('the key, the tokens and the values of a query are in no error, span, log line or metric', async () => {
  await using collector = await startCollector();
  await using telemetry = await openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ALMANAC_METRICS: '127.0.0.1:0',
  });
  await using scene = await createBigqueryScene();
  const { engine, server, clock } = scene;
  const table = await describe(engine);
  const query = queryOf(table, { filters: [['station', 'SECRET-VALUE']] });
  const describeAgain = () => {
    clock.now += 61_000;
    return engine.describe(table.name);
  };
  const read = () => engine.read(table, query, { estimatedBytes: 1 });
  const calls: readonly (readonly [kind: RequestKind, call: () => Promise<unknown>])[] = [
    ['token', describeAgain],
    ['table', describeAgain],
    ['query', () => engine.dryRun(table, query, {})],
    ['query', read],
    ['results', read],
  ];
  const span = beginTrace({ name: 'every fault', kind: 'consumer' });
  assert.ok(span);
  let text = '';
  let sent = '';
  await runInSpan(span, async () => {
    for (const [kind, call] of calls) {
      for (const [i, fault] of FAULTS.entries()) {
        if (kind === 'token') clock.now += 3_600_000;
        server.isHeld = kind === 'results';
        server.script[kind].push(...Array(4).fill(fault));
        const error = await call().catch((thrown: unknown) => thrown);
        server.script[kind].length = 0;
        server.isHeld = false;
        // The result for a table that is not found is null.
        if (kind === 'table' && i === 3) assert.equal(error, null);
        else assert.equal((error as Error).name, 'Fault', `${kind} ${i}: ${inspect(error)}`);
        text += `${inspect(error, { showHidden: true, depth: 10 })}\n${JSON.stringify(error)}\n`;
      }
    }
  });
  sent = server.requests.flatMap(({ kind, body }) => (kind === 'token' ? [String(body)] : [])).join('\n');
  span.end();
  await engine[Symbol.asyncDispose]();
  const page = await telemetry.pageText();
  await telemetry.stop();
  assert.ok(collector.spans().filter(({ name }) => name === 'POST').length > 10, 'requests were traced');
  const everything = `${text}\n${collector.received()}\n${telemetry.logged()}\n${page}`;
  assert.ok(text.includes('bigquery is unavailable (HTTP 500)'));
  const pem = testAccount().file('').private_key ?? '';
  const assertions = [...sent.matchAll(/assertion=([^&\s.]+)\.([^.]+)\.(\S+)/g)].flatMap((match) => match.slice(1));
  assert.ok(assertions.length > 10 && server.issued().length > 1);
  const secrets = [...pem.split('\n').filter((line) => line.length > 20), ...server.issued(), ...assertions];
  for (const secret of [...secrets, 'SECRET', 'Bearer']) assert.ok(!everything.includes(secret), secret);
});

test('refuses metadata that contain the token, because they would be shown', async () => {
  await using scene = await createBigqueryScene();
  const { engine, server } = scene;
  server.script.table.push((request, response) => {
    const token = request.headers.authorization?.slice(7);
    const tableReference = { projectId: 'bigquery-public-data', datasetId: 'weather', tableId: 'daily' };
    const metadata = { tableReference, location: 'US', description: `It is ${token}.` };
    sendText(JSON.stringify(metadata))(request, response, () => {});
  });
  await assert.rejects(engine.describe('bigquery-public-data.weather.daily'), { code: 'PROVIDER_FAILED' });
});
