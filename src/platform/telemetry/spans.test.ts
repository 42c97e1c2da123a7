import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { beginTrace, currentSpan, isTraced, type OpenSpan, runInSpan, traced, untraced } from './spans.ts';

const step = (name: string) => ({ name, kind: 'internal' }) as const;

function begun(name: string): OpenSpan {
  const span = beginTrace(step(name));
  assert.ok(span);
  return span;
}

/** Starts and stops telemetry, then posts which modules were loaded. */
const START_AND_REPORT = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData).then(async ({ openTelemetry }) => {
  const { metricsUrl, stop } = await openTelemetry({});
  await stop();
  parentPort.postMessage({ metricsUrl, modules: Object.keys(require.cache) });
});`;

test('loads no library until tracing is enabled', async () => {
  // In a thread, because other tests of this process may have loaded the libraries.
  const helper = new URL('../../../test/support/platform/telemetry.ts', import.meta.url).href;
  const thread = new Worker(START_AND_REPORT, { eval: true, workerData: helper });
  const [{ metricsUrl, modules }] = (await once(thread, 'message')) as [{ metricsUrl: unknown; modules: string[] }];
  assert.ok(modules.some((file) => file.includes('/pino/')));
  assert.deepEqual(
    modules.filter((file) => /opentelemetry|prom-client/.test(file)),
    [],
  );
  assert.equal(metricsUrl, null);
});

test('runs the work without a collector', async () => {
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

test('nests steps in concurrent traces', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const names = ['a', 'b', 'c'];
  await Promise.all(
    names.map((name) =>
      runInSpan(begun(name), async () => {
        await sleep(1);
        await traced(step(`${name}.outer`), async () => {
          await sleep(1);
          await traced(step(`${name}.inner`), () => sleep(1));
        });
        await traced(step(`${name}.after`), () => sleep(1));
      }),
    ),
  );
  await telemetry.stop();
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

test('records nothing outside a trace, in untraced work and after telemetry has stopped', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await traced(step('outside'), async () => {});
  await runInSpan(begun('trace'), async () => {
    await untraced(async () => {
      assert.equal(currentSpan(), undefined);
      await sleep(1);
      await traced(step('poll'), async () => {});
    });
    assert.ok(currentSpan());
  });
  const late = begun('late');
  await telemetry.stop();
  late.end();
  assert.equal(isTraced(), false);
  assert.deepEqual(
    collector.spans().map(({ name }) => name),
    ['trace'],
  );
});

test('records the type of an error, never its message', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const errors: [unknown, string][] = [
    [Object.assign(new Error('alice'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [Object.assign(new Error('alice'), { code: 'of alice@example.org' }), 'Error'],
    [new TypeError('alice'), 'TypeError'],
    ['alice@example.org', 'unknown'],
    [{ message: 'alice' }, 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [error] of errors) {
    const failing = runInSpan(begun('failing'), async () => {
      throw error;
    });
    assert.equal(await failing.catch((thrown: unknown) => thrown), error);
  }
  await telemetry.stop();
  assert.deepEqual(
    collector.spans().map(({ isError, attributes }) => [isError, attributes['error.type']]),
    errors.map(([, type]) => [true, type]),
  );
  assert.doesNotMatch(collector.received(), /alice/);
});
