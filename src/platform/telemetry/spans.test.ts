import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { beginTrace, closing, currentSpan, isTraced, type OpenSpan, traced, untraced } from './spans.ts';

const step = (name: string) => ({ name, kind: 'internal' }) as const;

function begun(name: string): OpenSpan {
  const span = beginTrace(step(name));
  assert.ok(span);
  return span;
}

test('until it is asked for, no library is loaded', async () => {
  const telemetry = await openTelemetry({});
  await telemetry.telemetry.stop();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  assert.deepEqual(
    loaded.filter((file) => /opentelemetry|prom-client/.test(file)),
    [],
  );
  assert.equal(telemetry.telemetry.metricsUrl, null);
});

test('without a collector everything just runs', async () => {
  assert.equal(isTraced(), false);
  assert.equal(beginTrace(step('a')), null);
  assert.equal(currentSpan(), undefined);
  assert.equal(await traced(step('a'), async (span) => span ?? 'ran'), 'ran');
  assert.equal(
    untraced(() => 'ran'),
    'ran',
  );
  await assert.rejects(
    traced(step('a'), async () => {
      throw new Error('as it was');
    }),
    /as it was/,
  );
});

test('steps are below what they are steps of, in traces that run at the same time', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const names = ['a', 'b', 'c'];
  await Promise.all(
    names.map((name) =>
      closing(begun(name), async () => {
        await sleep(1);
        await traced(step(`${name}.outer`), async () => {
          await sleep(1);
          await traced(step(`${name}.inner`), () => sleep(1));
        });
        await traced(step(`${name}.after`), () => sleep(1));
      }),
    ),
  );
  await told.telemetry.stop();
  const spans = collector.spans();
  const named = (wanted: string) => spans.find(({ name }) => name === wanted);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 3);
  for (const name of names) {
    assert.equal(named(name)?.parentSpanId, undefined);
    assert.equal(named(`${name}.outer`)?.parentSpanId, named(name)?.spanId);
    assert.equal(named(`${name}.inner`)?.parentSpanId, named(`${name}.outer`)?.spanId);
    assert.equal(named(`${name}.after`)?.parentSpanId, named(name)?.spanId);
  }
});

test('outside a trace, in what is done again and again, and after the stop nothing is recorded', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await traced(step('outside'), async () => {});
  await closing(begun('trace'), async () => {
    await untraced(async () => {
      assert.equal(currentSpan(), undefined);
      await sleep(1);
      await traced(step('poll'), async () => {});
    });
    assert.ok(currentSpan());
  });
  const late = begun('late');
  await told.telemetry.stop();
  late.end();
  assert.equal(isTraced(), false);
  assert.deepEqual(
    collector.spans().map(({ name }) => name),
    ['trace'],
  );
});

test('an error is told by its kind, never by its words', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const errors: [unknown, string][] = [
    [Object.assign(new Error('somebody'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [Object.assign(new Error('somebody'), { code: 'of somebody@example.org' }), 'Error'],
    [new TypeError('somebody'), 'TypeError'],
    ['somebody@example.org', 'unknown'],
    [{ message: 'somebody' }, 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [error] of errors) {
    const failing = closing(begun('failing'), async () => {
      throw error;
    });
    assert.equal(await failing.catch((thrown: unknown) => thrown), error);
  }
  await told.telemetry.stop();
  assert.deepEqual(
    collector.spans().map(({ isError, attributes }) => [isError, attributes['error.type']]),
    errors.map(([, type]) => [true, type]),
  );
  assert.doesNotMatch(collector.received(), /somebody/);
});
