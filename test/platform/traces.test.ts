import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi } from '../support/api/api.ts';
import { create, eventually, FORECASTS, openForecastService } from '../support/forecasts/forecast-service.ts';
import { type SentSpan, startCollector } from '../support/platform/collector.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const [INTERNAL, SERVER, CLIENT, CONSUMER] = [1, 2, 3, 5];

test('a request, its statements, the forecast that it asked for and the models of that are one trace', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'almanac-of-the-test',
  });
  {
    await using service = await openForecastService(testedKind, { worker: true });
    const person = await service.account();
    const { data } = await create(person);
    await eventually(
      () => person.ask<{ status: string }>('GET', `${FORECASTS}/${data.forecast_id}`),
      (reply) => reply.data.status === 'completed',
    );
  }
  await told.telemetry.stop();

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
    // The clocks of threads differ by little.
    assert.ok(fit.startMs > forecast.startMs - 50 && fit.endMs < forecast.endMs + 50 && fit.endMs > fit.startMs);
  }
  const statements = trace.filter(({ name }) => name.startsWith('db '));
  assert.ok(statements.every(({ kind }) => kind === CLIENT));
  const below = (span: SentSpan) => statements.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  const texts = (span: SentSpan) => below(span).map(({ attributes }) => String(attributes['db.query.text']));
  assert.ok(texts(request).some((text) => text.startsWith('insert into "forecast"')));
  assert.ok(texts(job).some((text) => text.startsWith('update "forecast" set')));
  assert.equal(statements.length, below(request).length + below(job).length);

  // Nothing stands for itself but requests and jobs: polls and starts leave no trace.
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  assert.ok(roots.every(({ kind }) => kind === SERVER || kind === CONSUMER));
  assert.equal(collector.resource()['service.name'], 'almanac-of-the-test');
  assert.equal(collector.resource()['service.version'], '0.1.0');
});

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

/** What the collector has of requests with these headers, at a share of traces. */
async function tracesOf(headers: readonly Record<string, string>[], ratio = '1'): Promise<SentSpan[]> {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  for (const one of headers) assert.equal((await app.inject({ url: '/health/live', headers: one })).statusCode, 200);
  await told.telemetry.stop();
  return collector.spans();
}

test('a caller that goes on with a trace of its own finds us in it; what is no traceparent begins a new one', async () => {
  const sampled = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
  const [ours, ...others] = await tracesOf([
    { traceparent: sampled, tracestate: 'vendor=somebody@example.org' },
    { traceparent: `${sampled}-more` },
    { traceparent: sampled.toUpperCase() },
    { traceparent: `00-${'0'.repeat(32)}-${PARENT.spanId}-01` },
    { traceparent: `00-${PARENT.traceId}-${'0'.repeat(16)}-01` },
    { traceparent: 'x'.repeat(5_000) },
    {},
  ]);
  assert.deepEqual([ours?.traceId, ours?.parentSpanId], [PARENT.traceId, PARENT.spanId]);
  assert.equal(others.length, 6);
  for (const { traceId, parentSpanId } of others) {
    assert.notEqual(traceId, PARENT.traceId);
    assert.equal(parentSpanId, undefined);
  }
});

test('a caller can ask not to be traced', async () => {
  const spans = await tracesOf([{ traceparent: `00-${PARENT.traceId}-${PARENT.spanId}-00` }, {}]);
  assert.equal(spans.length, 1);
  assert.notEqual(spans[0]?.traceId, PARENT.traceId);
});

test('nobody outside can make more traces than the share, whatever trace id it chooses', async () => {
  const asking = Array.from({ length: 400 }, () => ({
    // The smallest ids: a sampler that goes by them takes them all.
    traceparent: `00-${'0'.repeat(24)}${randomBytes(4).toString('hex').replace(/^0/, '1')}-${PARENT.spanId}-01`,
  }));
  const spans = await tracesOf(asking, '0.25');
  assert.ok(spans.length > 50 && spans.length < 150, `${spans.length} of 400`);
  assert.deepEqual(await tracesOf(asking.slice(0, 50), '0'), []);
});

test('what is done after a body came over a connection belongs to its request, however many share the connection', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'a wrong password' });
  const headers = { 'content-type': 'application/json' };
  for (let sent = 0; sent < 3; sent += 1) {
    assert.equal((await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body })).status, 401);
  }
  await app.close();
  await told.telemetry.stop();
  const requests = collector.spans().filter(({ name }) => name === 'POST /api/v1/sessions');
  const looks = collector.spans().filter(({ attributes }) => /from "account"/.test(`${attributes['db.query.text']}`));
  assert.equal(requests.length, 3);
  for (const { spanId } of requests) {
    assert.ok(
      looks.some(({ parentSpanId }) => parentSpanId === spanId),
      'the look at the account',
    );
  }
  assert.ok(looks.every(({ parentSpanId }) => requests.some(({ spanId }) => spanId === parentSpanId)));
});

test('a client that goes away and a fault of ours are told apart', async () => {
  await using collector = await startCollector();
  const told = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(fixture.database, {}, (routes) => {
    routes.get('/broken', async () => {
      throw new Error('somebody@example.org cannot be served');
    });
    routes.get('/endless', () => new Promise(() => {}));
  });
  fixture.cleanup(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  assert.equal((await fetch(`${url}/broken?who=somebody@example.org`)).status, 500);
  await assert.rejects(fetch(`${url}/endless`, { signal: AbortSignal.timeout(100) }));
  await eventually(told.page, ({ value }) => value('almanac_http_requests_in_flight') === 0);
  await app.close();
  await told.telemetry.stop();
  const [broken, endless] = ['GET /broken', 'GET /endless'].map((name) =>
    collector.spans().find((s) => s.name === name),
  );
  assert.deepEqual(
    [broken?.isError, broken?.attributes['http.response.status_code'], broken?.attributes['error.type']],
    [true, 500, '500'],
  );
  assert.deepEqual([endless?.isError, endless?.attributes['error.type']], [true, 'aborted']);
  assert.doesNotMatch(collector.received(), /somebody/);
});
