import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFoundation, MIGRATIONS, openMarket } from '../../src/compose/index.ts';
import { operations } from '../../src/contract/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { type Credentials, makeAccount, withGuest, withKey, withSession } from '../support/identity/callers.ts';
import { KEYS, type LoopbackMarket, startLoopbackMarket } from '../support/market/loopback-market.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { sendJson } from '../support/platform/wire-server.ts';

const PATH = '/api/v1/market-data/providers';
const PUBLIC_FIELDS = [
  'id',
  'configured',
  'intervals',
  'adjustments',
  'sides',
  'sessions',
  'earliest',
  'delay_minutes',
  'license',
];
const INTERVALS = ['1min', '5min', '15min', '30min', '1h', '4h', '1D', '1W-MON', '1MS'];

let fixture: TestDatabase;
let market: LoopbackMarket;
let environment: Record<string, string>;
let api: TestApi;
let administrator: Credentials;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  market = await startLoopbackMarket();
  // Massive is not configured, and Dukascopy is preferred.
  const { ALMANAC_MASSIVE_KEY: _, ...settings } = market.environment;
  environment = { ...settings, ALMANAC_MARKET_PROVIDERS: 'dukascopy,alpaca' };
  api = await openApi(fixture.database, environment);
  const { id } = await makeAccount(api.identity, { password: null, administrator: true });
  administrator = await withKey(api.identity, id);
});

after(async () => {
  await api?.app.close();
  await market?.[Symbol.asyncDispose]();
  await fixture?.[Symbol.asyncDispose]();
});

async function list(credentials: Credentials) {
  const response = await api.app.inject({ url: PATH, headers: credentials });
  assert.equal(response.statusCode, 200, response.body);
  for (const key of Object.values(KEYS)) assert.ok(!response.body.includes(key));
  return operations.listMarketProviders.reply.data.parse(response.json().data).providers;
}

async function readHistory(body: object, app = api.app): Promise<number> {
  const url = '/api/market-data/stocks/history';
  const start = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const payload = { timeframe: '1D', start, ...body };
  return (await app.inject({ method: 'POST', url, headers: administrator, payload })).statusCode;
}

test('lists the providers in their order, then those that are not configured', async () => {
  const response = await api.app.inject({ url: PATH, headers: await withGuest(api.identity) });
  assert.deepEqual(response.json().meta, { api_version: 'v1' });
  const providers = await list(administrator);
  assert.deepEqual(
    providers.map(({ id, configured }) => [id, configured]),
    [
      ['dukascopy', true],
      ['alpaca', true],
      ['bundled', true],
      ['massive', false],
    ],
  );
  const [dukascopy, alpaca, bundled, massive] = providers;
  assert.deepEqual(
    [dukascopy?.intervals, alpaca?.intervals, massive?.intervals, bundled?.intervals],
    [INTERVALS, INTERVALS, INTERVALS, ['1D', '1W-MON', '1MS']],
  );
  assert.deepEqual([dukascopy?.sides, alpaca?.sides], [['bid', 'ask'], ['trade']]);
  assert.deepEqual(
    [alpaca?.adjustments, massive?.adjustments],
    [
      ['raw', 'split', 'all'],
      ['raw', 'split'],
    ],
  );
  assert.deepEqual([alpaca?.sessions, bundled?.sessions], [['regular', 'extended'], ['regular']]);
  assert.equal(alpaca?.earliest?.slice(0, 4), '2016');
  assert.match(alpaca?.license.url ?? '', /^https:/);
});

test('shows states to administrators only', async () => {
  const { id, email } = await makeAccount(api.identity);
  const unverified = await makeAccount(api.identity, { administrator: true, verified: false });
  const others: readonly Credentials[] = [
    await withGuest(api.identity),
    await withKey(api.identity, id),
    await withSession(api.identity, email),
    await withSession(api.identity, unverified.email),
  ];
  for (const credentials of others) {
    for (const provider of await list(credentials)) assert.deepEqual(Object.keys(provider), PUBLIC_FIELDS);
  }
  for (const provider of await list(administrator)) {
    assert.deepEqual(
      Object.keys(provider).slice(PUBLIC_FIELDS.length),
      ['state', 'last_success_at', 'last_failure', 'requests_left', 'listing'],
      provider.id,
    );
  }
});

test('shows requests and failures of the past', async () => {
  assert.equal(await readHistory({ symbol: 'AAPL', source: 'alpaca' }), 200);
  const before = await list(administrator);
  const { state, last_success_at: success, requests_left: left } = before.find(({ id }) => id === 'alpaca') ?? {};
  assert.equal(state, 'closed');
  assert.ok(Math.abs(Date.parse(success ?? '') - Date.now()) < 3_600_000);
  assert.ok(typeof left === 'number' && left >= 0 && left <= 200);
  for (const id of ['bundled', 'massive']) {
    const { requests_left: none, last_success_at: never } = before.find((one) => one.id === id) ?? {};
    assert.deepEqual([none, never], [null, null], id);
  }
  for (const symbol of ['XA', 'XB', 'XC', 'XD', 'XE']) {
    market.alpaca.script.push((_request, response) => response.writeHead(401).end('{"message":"unauthorized."}'));
    assert.equal(await readHistory({ symbol, source: 'alpaca' }), 502);
  }
  const after = (await list(administrator)).find(({ id }) => id === 'alpaca');
  assert.equal(after?.state, 'open');
  assert.equal(after?.last_failure?.fault, 'UNAUTHORIZED');
});

test('shows the listing of a provider, and why it could not be read', async () => {
  const { config } = api;
  const { database } = fixture;
  const { directory } = openMarket(createFoundation({ config, log: createLog('silent'), database }));
  const listingOf = async (id: string) => (await list(administrator)).find((one) => one.id === id)?.listing;
  assert.equal(await listingOf('dukascopy'), null);
  assert.equal(await readHistory({ symbol: 'USD/DKK', source: 'dukascopy' }), 404);
  await directory.refresh('dukascopy');
  const { refreshed_at: at, ...listing } = (await listingOf('dukascopy')) ?? {};
  assert.deepEqual(listing, { entries: 4, error: null });
  assert.ok(Math.abs(Date.parse(at ?? '') - Date.now()) < 3_600_000);
  // A process reads the stored listing in the background when it needs it for the first time.
  await using started = new AsyncDisposableStack();
  const { app } = await openApi(database, environment);
  started.defer(() => app.close());
  while ((await readHistory({ symbol: 'USD/DKK', source: 'dukascopy' }, app)) !== 200) await sleep(5);
  market.dukascopy.script.push(sendJson({ instruments: 'none' }));
  await directory.refresh('dukascopy');
  assert.deepEqual(await listingOf('dukascopy'), { entries: 4, refreshed_at: at, error: 'MALFORMED' });
});

test('refuses callers without a credential', async () => {
  assert.equal((await api.app.inject({ url: PATH })).statusCode, 401);
});
