import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { beginTrace, runInSpan } from '../telemetry/index.ts';
import { boundedGet, boundedRequest } from './bounded-request.ts';
import { openStream } from './stream.ts';

test('traces requests to other machines by host and status without sending them the trace', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    if (request.url?.startsWith('/cut')) response.destroy();
    else response.writeHead(request.url?.startsWith('/none') ? 404 : 200).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (path: string) => `http://127.0.0.1:${port}/${path}?key=hunter2`;
  const bounds = {
    namedBy: 'operator' as const,
    timeoutMs: 5_000,
    maxBytes: 1_000,
    headers: { authorization: 'Bearer hunter3' },
  };
  const span = beginTrace({ name: 'above', kind: 'consumer' });
  assert.ok(span);
  await runInSpan(span, async () => {
    assert.equal((await boundedGet(url('some'), bounds)).status, 200);
    assert.equal((await boundedGet(url('none'), bounds)).status, 404);
    await assert.rejects(boundedGet(url('cut'), bounds));
    await using reply = await openStream(url('some'), { namedBy: 'operator', stallMs: 5_000 });
    assert.equal(reply.status, 200);
  });
  await boundedGet(url('outside'), bounds);
  await runInSpan(span, () =>
    boundedRequest(url('some'), { ...bounds, method: 'POST', body: Buffer.from('{"key":"hunter4"}') }),
  );
  server.close();
  server.closeAllConnections();
  await telemetry.stop();

  const above = collector.spans().find(({ name }) => name === 'above');
  const gets = collector.spans().filter(({ name }) => name === 'GET');
  assert.deepEqual(
    gets.map(({ parentSpanId, isError, attributes }) => [
      parentSpanId,
      isError,
      attributes['http.response.status_code'],
    ]),
    [
      [above?.spanId, false, 200],
      [above?.spanId, false, 404],
      [above?.spanId, true, undefined],
      [above?.spanId, false, 200],
    ],
  );
  assert.deepEqual([gets[0]?.attributes['server.address'], gets[0]?.attributes['server.port']], ['127.0.0.1', port]);
  const post = collector.spans().find(({ name }) => name === 'POST');
  assert.deepEqual([post?.parentSpanId, post?.attributes['http.request.method']], [above?.spanId, 'POST']);
  assert.doesNotMatch(collector.received(), /hunter|some|none\?/);
  assert.ok(asked.length === 6 && asked.every(({ traceparent, tracestate }) => !traceparent && !tracestate));
});
