import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { startReceiver } from '../support/notifications/receiver.ts';
import { startCollector } from '../support/platform/collector.ts';
import { testedKind } from '../support/platform/database.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const REQUEST_ID = '0b9f5c7e-3a52-4a50-9c43-1d2f5a1f3c77';
const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

test(`a caller's request id and trace reach the worker and the request that it sends [${testedKind}]`, async () => {
  await using collector = await startCollector();
  await using receiver = await startReceiver();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  {
    const environment = { ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8' };
    await using service = await openForecastService(testedKind, { worker: true, environment });
    const { request, credentials } = await service.account();
    const body = { url: `${receiver.origin}/hook`, types: ['forecast.completed'] };
    const { data } = await request<{ id: string }>('POST', '/v1/me/webhooks', body);
    const url = `/api/v1/me/webhooks/${data.id}/test`;
    const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
    const headers = { ...credentials, traceparent, 'x-request-id': REQUEST_ID };
    const tested = await service.app.inject({ method: 'POST', url, headers });
    assert.equal(tested.headers['x-request-id'], REQUEST_ID);
    await waitFor(
      async () => receiver.requests,
      (received) => received.length === 1,
    );
    const [received] = receiver.requests;
    assert.equal(received?.headers['x-request-id'], undefined, 'other machines do not get it');
  }
  await telemetry.stop();
  const spans = collector.spans().filter(({ traceId }) => traceId === PARENT.traceId);
  const [edge, job, sent] = ['POST /api/v1/me/webhooks/:webhook_id/test', 'job webhooks', 'POST'].map((name) =>
    spans.find((span) => span.name === name),
  );
  assert.deepEqual(
    [edge, job, sent].map((span) => [span?.parentSpanId, span?.attributes['almanac.request_id']]),
    [
      [PARENT.spanId, REQUEST_ID],
      [edge?.spanId, REQUEST_ID],
      [job?.spanId, REQUEST_ID],
    ],
  );
});
