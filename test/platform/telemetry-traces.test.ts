import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposeMetrics, MIGRATIONS } from '../../src/compose/index.ts';
import { readVersion } from '../../src/platform/index.ts';
import { openApi } from '../support/api/api.ts';
import { create, FORECASTS, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { type Collector, type SentSpan, startCollector } from '../support/platform/collector.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import type { MetricsPage } from '../support/platform/metrics-page.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const [INTERNAL, SERVER, CLIENT, CONSUMER] = [1, 2, 3, 5];

const DONE = { queue: 'forecasts', outcome: 'done' };

test('a forecast is measured and traced', async (t) => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'almanac-of-the-test',
    ALMANAC_METRICS: '127.0.0.1:0',
  });
  const pages: MetricsPage[] = [];
  {
    await using service = await openForecastService(testedKind, { worker: true });
    exposeMetrics({ database: service.database }, telemetry);
    pages.push(await telemetry.page());
    const person = await service.account();
    const { data } = await create(person);
    await waitFor(
      () => person.request<{ status: string }>('GET', `${FORECASTS}/${data.forecast_id}`),
      (reply) => reply.data.status === 'completed',
    );
    const isDone = ({ value }: MetricsPage) => value('almanac_job_duration_seconds_count', DONE) === 1;
    pages.push(await waitFor(telemetry.page, isDone));
  }
  await telemetry.stop();
  const [before, after] = pages as [MetricsPage, MetricsPage];
  await t.test('on a page in the Prometheus format', () => assertCounted(before, after));
  await t.test('with its request, its statements and its models in one trace', () => assertTraced(collector));
});

function assertCounted(before: MetricsPage, page: MetricsPage): void {
  assert.equal(before.value('almanac_forecasts_created_total'), 0);
  assert.equal(before.value('almanac_engine_starts_total'), 0);
  assert.equal(before.value('almanac_build_info', { version: readVersion(), node: process.version }), 1);
  assert.equal(page.value('almanac_forecasts_created_total'), 1);
  assert.equal(page.value('almanac_forecasts_completed_total'), 1);
  assert.equal(page.value('almanac_engine_starts_total'), 1);
  for (const model of ['theta', 'ets']) {
    assert.equal(page.value('almanac_model_fit_duration_seconds_count', { model }), 1);
    assert.ok(Number(page.value('almanac_model_fit_duration_seconds_sum', { model })) > 0);
  }
  assert.deepEqual(page.labelsOf('almanac_model_fit_duration_seconds_count').length, 2);
  const created = { operation: 'createForecast', method: 'POST', status: '2xx' };
  assert.equal(page.value('almanac_http_request_duration_seconds_count', created), 1);
  assert.ok(Number(page.value('almanac_database_query_duration_seconds_count', { statement: 'insert' })) > 0);
  assert.equal(page.value('almanac_http_requests_in_flight'), 0);
  assert.equal(page.value('almanac_queue_readable'), 1);
  assert.equal(page.value('almanac_queue_jobs_waiting', { queue: 'forecasts' }), 0);
  // The page itself held the connection.
  assert.equal(page.value('almanac_database_connections', { state: 'waiting' }), 0);
  assert.ok(page.families.some(({ name }) => name === 'process_cpu_user_seconds_total'));
  assert.ok(page.families.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds'));
}

function assertTraced(collector: Collector): void {
  const spans = collector.spans();
  const one = (name: string, list = spans): SentSpan => {
    const found = list.filter((span) => span.name === name);
    assert.equal(found.length, 1, name);
    return found[0] as SentSpan;
  };
  const request = one(`POST /api${FORECASTS}`);
  const trace = spans.filter(({ traceId }) => traceId === request.traceId);
  assert.equal(request.parentSpanId, undefined);
  assert.equal(request.kind, SERVER);
  assert.equal(request.attributes['http.response.status_code'], 202);
  assert.equal(request.attributes['http.route'], `/api${FORECASTS}`);

  const job = one('job forecasts', trace);
  const forecast = one('forecast', trace);
  assert.deepEqual([job.kind, job.parentSpanId], [CONSUMER, request.spanId]);
  assert.deepEqual([forecast.kind, forecast.parentSpanId], [INTERNAL, job.spanId]);
  for (const model of ['theta', 'ets']) {
    const fit = one(`fit ${model}`, trace);
    assert.equal(fit.parentSpanId, forecast.spanId);
    assert.equal(fit.attributes['almanac.model'], model);
    // The clocks of threads differ slightly.
    assert.ok(fit.startMs > forecast.startMs - 50 && fit.endMs < forecast.endMs + 50 && fit.endMs > fit.startMs);
  }
  const statements = trace.filter(({ name }) => name.startsWith('db '));
  assert.ok(statements.every(({ kind }) => kind === CLIENT));
  const below = (span: SentSpan) => statements.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  const texts = (span: SentSpan) => below(span).map(({ attributes }) => String(attributes['db.query.text']));
  assert.ok(texts(request).some((text) => text.startsWith('insert into "forecast"')));
  assert.ok(texts(job).some((text) => text.startsWith('update "forecast" set')));
  assert.equal(statements.length, below(request).length + below(job).length);

  // Only requests and jobs are roots: polls and starts have no spans.
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  assert.ok(roots.every(({ kind }) => kind === SERVER || kind === CONSUMER));
  assert.equal(collector.resource()['service.name'], 'almanac-of-the-test');
  assert.equal(collector.resource()['service.version'], readVersion());
}

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

/** Returns the spans of requests with these headers at a share of traces. */
async function tracesOf(headers: readonly Record<string, string>[], ratio = '1'): Promise<SentSpan[]> {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  for (const one of headers) assert.equal((await app.inject({ url: '/health/live', headers: one })).statusCode, 200);
  await telemetry.stop();
  return collector.spans();
}

test('continues the trace of a caller and starts a new one for an invalid traceparent', async () => {
  const sampled = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
  const [continued, ...others] = await tracesOf([
    { traceparent: sampled, tracestate: 'vendor=alice@example.org' },
    { traceparent: `${sampled}-more` },
    { traceparent: sampled.toUpperCase() },
    { traceparent: `00-${'0'.repeat(32)}-${PARENT.spanId}-01` },
    { traceparent: `00-${PARENT.traceId}-${'0'.repeat(16)}-01` },
    { traceparent: 'x'.repeat(5_000) },
    {},
  ]);
  assert.deepEqual([continued?.traceId, continued?.parentSpanId], [PARENT.traceId, PARENT.spanId]);
  assert.equal(others.length, 6);
  for (const { traceId, parentSpanId } of others) {
    assert.notEqual(traceId, PARENT.traceId);
    assert.equal(parentSpanId, undefined);
  }
});

test('lets a caller opt out of tracing', async () => {
  const spans = await tracesOf([{ traceparent: `00-${PARENT.traceId}-${PARENT.spanId}-00` }, {}]);
  assert.equal(spans.length, 1);
  assert.notEqual(spans[0]?.traceId, PARENT.traceId);
});

test('samples the traces of callers at the configured share, whatever trace ids they send', async ({ mock }) => {
  mock.method(Math, 'random', createSeededRandom(1));
  const requests = Array.from({ length: 200 }, (_, index) => ({
    // The smallest ids: a sampler by id would take them all.
    traceparent: `00-${'0'.repeat(24)}${String(index).padStart(8, '1')}-${PARENT.spanId}-01`,
  }));
  const spans = await tracesOf(requests, '0.25');
  assert.ok(spans.length > 25 && spans.length < 75, `${spans.length} of 200`);
  assert.deepEqual(await tracesOf(requests.slice(0, 50), '0'), []);
});

test('assigns work after a body to its request on a shared connection', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const body = JSON.stringify({ email: 'absent@example.org', password: 'a wrong password' });
  const headers = { 'content-type': 'application/json' };
  for (let sent = 0; sent < 3; sent += 1) {
    assert.equal((await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body })).status, 401);
  }
  await app.close();
  await telemetry.stop();
  const requests = collector.spans().filter(({ name }) => name === 'POST /api/v1/sessions');
  const lookups = collector.spans().filter(({ attributes }) => /from "account"/.test(`${attributes['db.query.text']}`));
  assert.equal(requests.length, 3);
  for (const { spanId } of requests) {
    assert.ok(
      lookups.some(({ parentSpanId }) => parentSpanId === spanId),
      'the account lookup',
    );
  }
  assert.ok(lookups.every(({ parentSpanId }) => requests.some(({ spanId }) => spanId === parentSpanId)));
});

test('counts running requests, and distinguishes a disconnected client from a failure of the service', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database, {}, (routes) => {
    routes.get('/broken', async () => {
      throw new Error('alice@example.org cannot be served');
    });
    routes.get('/endless', () => new Promise(() => {}));
  });
  fixture.cleanup(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  assert.equal((await fetch(`${url}/broken?who=alice@example.org`)).status, 500);
  const stop = new AbortController();
  const waiting = fetch(`${url}/endless`, { signal: stop.signal });
  await waitFor(telemetry.page, ({ value }) => value('almanac_http_requests_in_flight') === 1);
  stop.abort();
  await assert.rejects(waiting);
  const page = await waitFor(telemetry.page, ({ value }) => value('almanac_http_requests_in_flight') === 0);
  const labels = { operation: '/endless', method: 'GET', status: 'aborted' };
  assert.equal(page.value('almanac_http_request_duration_seconds_count', labels), 1);
  await app.close();
  await telemetry.stop();
  const [broken, endless] = ['GET /broken', 'GET /endless'].map((name) =>
    collector.spans().find((s) => s.name === name),
  );
  assert.deepEqual(
    [broken?.isError, broken?.attributes['http.response.status_code'], broken?.attributes['error.type']],
    [true, 500, '500'],
  );
  assert.deepEqual([endless?.isError, endless?.attributes['error.type']], [true, 'aborted']);
  assert.doesNotMatch(collector.received(), /alice/);
});
