import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { beginTrace, runInSpan } from '../telemetry/index.ts';
import { openQueue } from './index.ts';
import { withoutTrace, withTrace } from './watch-job.ts';

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

test('leaves the data unchanged outside a trace', () => {
  const data = { of: 1 };
  assert.equal(withTrace(data), data);
  assert.deepEqual(withoutTrace(data), { data, traceparent: undefined });
  assert.deepEqual(withoutTrace({ of: 1, traceparent: 5 }), { data, traceparent: undefined });
});
