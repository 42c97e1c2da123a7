import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { type ForecastService, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { agentOf, csvRows, failureOf } from './scene.ts';

const ARGUMENTS = { csv: csvRows(), horizon: 2, models: ['seasonal_naive'] };

let service: ForecastService;

before(async () => {
  // Without a worker, every forecast waits. One request for the message and five for a creation leave none to read it.
  service = await openForecastService(testedKind, { environment: { ALMANAC_RATE_ENTERPRISE: '6' } });
});
after(() => service?.[Symbol.asyncDispose]());

test('a failure after the creation of a forecast names the forecast', async () => {
  const { credentials, accountId } = await service.account('enterprise');
  const answer = await agentOf(service.app, credentials).call('forecast', { ...ARGUMENTS, wait_seconds: 0 });
  const failure = failureOf(answer);
  assert.equal(failure.code, 'RATE_LIMITED');
  assert.match(failure.next_step, /^Wait \d+ s first\. The forecast was created\. Call check_forecast/);
  const forecasts = await service.database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  assert.deepEqual(forecasts, [{ id: failure.forecast_id }]);
});

test('a client that disconnects while it waits finds its forecast with the same call', async () => {
  const { credentials } = await service.account();
  const agent = agentOf(service.app, credentials);
  const port = await listenOnLoopback(service.app);
  const args = { ...ARGUMENTS, wait_seconds: 20, request_key: 'lost' };
  const leaving = new AbortController();
  const lost = fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
      ...credentials,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'forecast', arguments: args },
    }),
    signal: leaving.signal,
  });
  const running = async () => (await agent.call('my_limits')).structuredContent.forecasts.running;
  await waitFor(running, (count) => count === 1);
  leaving.abort();
  await assert.rejects(lost, { name: 'AbortError' });
  const again = await agent.call('forecast', { ...args, wait_seconds: 0 });
  assert.equal(again.structuredContent.status, 'queued');
  assert.equal(await running(), 1);
});

test('a caller that waits in ten calls gets the state of the forecast at once', async () => {
  const { credentials, request } = await service.account('pro');
  const agent = agentOf(service.app, credentials);
  const { structuredContent } = await agent.call('forecast', { ...ARGUMENTS, wait_seconds: 0 });
  const { forecast_id } = structuredContent;
  const ends: number[] = [];
  const waits = Array.from({ length: 12 }, async () => {
    const answer = await agent.call('check_forecast', { forecast_id, wait_seconds: 20 });
    ends.push(answer.structuredContent.status === 'queued' ? 1 : 0);
  });
  await waitFor(
    async () => ends.length,
    (count) => count >= 2,
  );
  assert.deepEqual(ends, [1, 1]);
  await request('POST', `/v1/ensemble-forecasts/${forecast_id}/cancel`);
  await Promise.all(waits);
  assert.deepEqual(
    ends.slice(2),
    Array.from({ length: 10 }, () => 0),
  );
});
