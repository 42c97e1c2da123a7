import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { createLog } from '../log.ts';
import { beginTrace, runInRequest, runInSpan, untraced } from '../telemetry/index.ts';
import { openQueue } from './index.ts';
import { withOrigin, withoutOrigin } from './watch-job.ts';

forEachDatabase(
  'continues the trace in which a job was added and hides it from the handler',
  { queue: true },
  async ({ database, cleanup }) => {
    await using collector = await startCollector();
    const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const queue = await openQueue(database, { queues: [{ name: 'jobs', retryLimit: 1 }], supervise: false });
    cleanup(() => queue.stop({ timeoutMs: 1_000 }));
    const seen: unknown[] = [];
    await queue.work('jobs', { pollSeconds: 0.5 }, async ({ data, attempt }) => {
      seen.push(data);
      if (attempt === 0) throw new Error('for alice@example.org');
    });
    const span = beginTrace({ name: 'adding', kind: 'server' });
    assert.ok(span);
    await runInSpan(span, async () => void (await queue.enqueue(database, 'jobs', { of: 1 })));
    while (seen.length < 2) await sleep(10);
    await queue.stop({ timeoutMs: 5_000 });
    await telemetry.stop();

    assert.deepEqual(seen, [{ of: 1 }, { of: 1 }]);
    const spans = collector.spans();
    const adding = spans.find(({ name }) => name === 'adding');
    const runs = spans.filter(({ name }) => name === 'job jobs');
    assert.deepEqual(
      runs.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
      [1, 2].map(() => [adding?.traceId, adding?.spanId]),
    );
    assert.deepEqual(
      runs.map(({ isError, attributes }) => [isError, attributes['error.type'], attributes['almanac.attempt']]),
      [
        [true, 'Error', 0],
        [false, undefined, 1],
      ],
    );
    assert.doesNotMatch(collector.received(), /alice/);
  },
);

test('leaves the data unchanged outside a trace and a request', () => {
  const data = { of: 1 };
  assert.equal(withOrigin(data), data);
  assert.deepEqual(withoutOrigin(data), { data, origin: {} });
  assert.deepEqual(withoutOrigin({ of: 1, traceparent: 5 }), { data, origin: {} });
  assert.deepEqual(withoutOrigin({ of: 1, traceparent: null }), { data, origin: {} });
});

test('continues the traces of jobs that earlier builds added', () => {
  assert.deepEqual(withoutOrigin({ of: 1, traceparent: '00-1' }), { data: { of: 1 }, origin: { traceparent: '00-1' } });
});

forEachDatabase('runs a job as part of the request that added it', { queue: true }, async ({ database, cleanup }) => {
  const queue = await openQueue(database, { queues: [{ name: 'jobs' }, { name: 'next' }], supervise: false });
  cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (line) => lines.push(String(line))),
  );
  const ended = Promise.withResolvers<void>();
  await queue.work('jobs', { pollSeconds: 0.5 }, async ({ data }) => {
    assert.deepEqual(data, { of: 1 });
    await queue.enqueue(database, 'next', {});
  });
  await queue.work('next', { pollSeconds: 0.5 }, async () => {
    log.info({ of: 2 }, 'ran');
    untraced(() => log.info('shared'));
    ended.resolve();
  });
  await runInRequest('request-1', () => queue.enqueue(database, 'jobs', { of: 1 }));
  log.info('outside');
  await ended.promise;
  assert.deepEqual(
    lines.map((line) => {
      const { msg, request_id } = JSON.parse(line);
      return [msg, request_id];
    }),
    [
      ['outside', undefined],
      ['ran', 'request-1'],
      ['shared', undefined],
    ],
  );
});
