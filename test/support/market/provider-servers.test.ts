import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAlpacaServer } from './alpaca-server.ts';
import { createHistory } from './market-history.ts';
import { startMassiveServer } from './massive-server.ts';

// The servers must refuse what the services refuse: a server that accepts everything would hide the errors of an adapter.

const NOW = Date.UTC(2024, 2, 8, 17);
const HISTORIES = [createHistory({ symbol: 'ACME', from: '2024-03-04', to: '2024-03-08', minutesFrom: '2024-03-07' })];

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const reply = await fetch(url, { headers });
  await reply.text();
  return reply.status;
}

test('the server of Alpaca checks keys, parameters, the plan and the rate', async () => {
  const options = { histories: HISTORIES, clock: () => NOW, keyId: 'id', secret: 'secret' };
  await using server = await startAlpacaServer({ ...options, plan: 'delayed' });
  const keys = { 'apca-api-key-id': 'id', 'apca-api-secret-key': 'secret' };
  const ask = (query: string, headers: Record<string, string> = keys) =>
    statusOf(`${server.url}/v2/stocks/ACME/bars?${query}`, headers);
  const valid = 'timeframe=1Day&start=2024-03-04T05:00:00Z&end=2024-03-07&limit=10000&sort=desc&adjustment=split';
  assert.equal(await ask(valid), 200);
  assert.equal(await ask(valid, {}), 401);
  assert.equal(await ask(valid, { ...keys, 'apca-api-secret-key': 'wrong' }), 403);
  for (const wrong of [
    'limit=10001',
    'limit=0',
    'timeframe=1D',
    'sort=down',
    'adjustment=splits',
    'start=4%20March',
    'end=2024-03-01',
    'page_token=x',
    'asof=today',
    'feed=all',
    'symbol=ACME',
  ]) {
    assert.equal(await ask(`${valid}&${wrong}`.replace(/(\w+)=[^&]*&(.*\1=)/, '$2')), 422, wrong);
  }
  const recent = `timeframe=1Min&start=2024-03-08&end=${new Date(NOW).toISOString()}`;
  assert.equal(await ask(recent), 403);
  assert.equal(await ask(`${recent}&feed=iex`), 200);
  assert.equal(await ask(`${recent}&feed=otc`), 403);
  assert.equal(await statusOf(`${server.url}/v2/assets?status=all`, keys), 422);

  await using limited = await startAlpacaServer({ ...options, requestsPerMinute: 1 });
  const assets = `${limited.url}/v2/assets?status=active&asset_class=us_equity`;
  const reply = await fetch(assets, { headers: keys });
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => reply.headers.get(`x-ratelimit-${name}`)),
    ['1', '0', String(NOW / 1_000 + 60)],
  );
  assert.equal(await statusOf(assets, keys), 429);
});

test('the server of Massive checks keys, parameters, the plan and the rate', async () => {
  const options = { histories: HISTORIES, clock: () => NOW, key: 'key' };
  await using server = await startMassiveServer({ ...options, plan: 'end_of_day', historyYears: 2 });
  const keys = { authorization: 'Bearer key' };
  const range = `${server.url}/v2/aggs/ticker/ACME/range/1/day`;
  assert.equal(await statusOf(`${range}/2024-03-04/2024-03-07?adjusted=true&sort=desc&limit=50000`, keys), 200);
  assert.equal(await statusOf(`${range}/1709528400000/2024-03-07`, keys), 200);
  assert.equal(await statusOf(`${range}/2024-03-04/2024-03-07`, { authorization: 'Bearer wrong' }), 401);
  assert.equal(await statusOf(`${range}/2024-03-04/2024-03-07?apiKey=key`, {}), 401);
  for (const wrong of ['limit=50001', 'limit=x', 'sort=down', 'adjusted=1', 'page=2']) {
    assert.equal(await statusOf(`${range}/2024-03-04/2024-03-07?${wrong}`, keys), 400, wrong);
  }
  assert.equal(await statusOf(`${range}/2024-03-04/yesterday`, keys), 400);
  assert.equal(await statusOf(`${range}/2024-03-07/2024-03-04`, keys), 400);
  assert.equal(await statusOf(`${range}/2024-03-04/2024-03-08`, keys), 403, 'today');
  assert.equal(await statusOf(`${range}/2021-03-04/2024-03-07`, keys), 403, 'more than two years');
  const grouped = `${server.url}/v2/aggs/grouped/locale/us/market/stocks`;
  assert.equal(await statusOf(`${grouped}/2024-03-07`, keys), 200);
  assert.equal(await statusOf(`${grouped}/2024-03-08`, keys), 403);
  assert.equal(await statusOf(`${server.url}/v3/reference/tickers?market=stocks&active=true&sort=ticker`, keys), 200);
  assert.equal(await statusOf(`${server.url}/v3/reference/tickers?market=stocks&limit=1001`, keys), 400);
  await using limited = await startMassiveServer({ ...options, requestsPerMinute: 1 });
  assert.equal(await statusOf(`${limited.url}/v2/aggs/grouped/locale/us/market/stocks/2024-03-07`, keys), 200);
  assert.equal(await statusOf(`${limited.url}/v2/aggs/grouped/locale/us/market/stocks/2024-03-07`, keys), 429);
});
