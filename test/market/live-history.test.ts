import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { DAY_MS, MINUTE_MS } from '../../src/calendar/index.ts';
import { buildApi, createFoundation, MIGRATIONS } from '../../src/compose/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { tinyCheckpoints } from '../support/compute/tiny-checkpoints.ts';
import { type Credentials, withGuest } from '../support/identity/callers.ts';
import { startAlpacaServer } from '../support/market/alpaca-server.ts';
import { type FeedCandle, startDukascopyServer } from '../support/market/dukascopy-server.ts';
import { KEYS, LARGE_BUDGETS, settingsOf } from '../support/market/loopback-market.ts';
import { createHistory } from '../support/market/market-history.ts';
import { startMassiveServer } from '../support/market/massive-server.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { sendText, type WireServer } from '../support/platform/wire-server.ts';

// The week before is the first one with summer time in New York.
const NOW = Date.parse('2024-03-14T06:00:00Z');
const open = new AsyncDisposableStack();
let now = NOW;
let app: FastifyInstance;
let guest: Credentials;
let alpaca: WireServer;
let massive: WireServer;
let dukascopy: WireServer;

before(async () => {
  const clock = () => now;
  const tesla = createHistory({ symbol: 'TSLA', from: '2021-01-04', to: '2024-03-20', minutesFrom: '2024-03-01' });
  const minutes = tradedMinutes(Date.parse('2024-02-11T22:00:00Z'), NOW);
  const days = daysOf(2019, NOW);
  alpaca = open.use(
    await startAlpacaServer({ histories: [tesla], clock, keyId: KEYS.alpacaId, secret: KEYS.alpacaSecret }),
  );
  massive = open.use(await startMassiveServer({ histories: [tesla], clock, key: KEYS.massive }));
  const history = { code: 'EUR-USD', bid: { minute: minutes, day: days } };
  const asks = { minute: minutes.map(raise), day: days.map(raise) };
  dukascopy = open.use(await startDukascopyServer({ histories: [{ ...history, ask: asks }], clock }));
  const { database } = open.use(await openTestDatabase(testedKind, { migrations: MIGRATIONS }));
  const config = loadTestConfig({
    ALMANAC_LOG_LEVEL: 'silent',
    ...settingsOf({ alpaca, massive, dukascopy }),
    ...LARGE_BUDGETS,
  });
  const foundation = createFoundation({
    config,
    log: createLog(config.logLevel),
    database,
    clock: { now: () => new Date(now) },
    checkpoints: tinyCheckpoints(),
  });
  app = await buildApi(foundation, { siteUrl: () => SITE_URL });
  open.defer(() => app.close());
  guest = await withGuest(foundation.identity);
});

after(() => open.disposeAsync());

/** Returns a candle for each minute of the trading hours of currencies, without the ten minutes after every noon. */
function tradedMinutes(from: number, to: number): FeedCandle[] {
  const candles: FeedCandle[] = [];
  for (let timestamp = from; timestamp < to; timestamp += MINUTE_MS) {
    const weekday = new Date(timestamp).getUTCDay();
    const isClosed = weekday === 6 || (weekday === 5 && timestamp % DAY_MS >= 22 * 3_600_000);
    const isGap = timestamp % DAY_MS >= DAY_MS / 2 && timestamp % DAY_MS < DAY_MS / 2 + 10 * MINUTE_MS;
    const opensAt = timestamp < Date.UTC(2024, 2, 10) ? 22 : 21;
    const isSundayClosed = weekday === 0 && timestamp % DAY_MS < opensAt * 3_600_000;
    if (!isClosed && !isGap && !isSundayClosed) candles.push(candleAt(timestamp, candles.length));
  }
  return candles;
}

function daysOf(year: number, to: number): FeedCandle[] {
  const candles: FeedCandle[] = [];
  for (let timestamp = Date.UTC(year, 0, 1); timestamp < to; timestamp += DAY_MS) {
    if (new Date(timestamp).getUTCDay() !== 6) candles.push(candleAt(timestamp, candles.length));
  }
  return candles;
}

function candleAt(timestamp: number, place: number): FeedCandle {
  const open = 1_080 + (place % 40);
  const [low, close, high] = [open - 2, open + 1, open + 2];
  return { timestamp, open: open / 1e3, high: high / 1e3, low: low / 1e3, close: close / 1e3, volume: 1.5 };
}

const raise = (candle: FeedCandle): FeedCandle => ({ ...candle, high: candle.high + 0.001, close: candle.high });

const requests = () => [alpaca, massive, dukascopy].map((server) => server.requests.length);

async function send(body: object) {
  return app.inject({ method: 'POST', url: '/api/market-data/stocks/history', headers: guest, payload: body });
}

async function history(body: object) {
  const before = requests();
  const response = await send({ symbol: 'TSLA', timeframe: '1D', ...body });
  assert.equal(response.statusCode, 200, response.body);
  return { ...response.json(), asked: requests().map((count, i) => count - (before[i] as number)) };
}

async function refusal(body: object): Promise<string> {
  const response = await send({ symbol: 'TSLA', timeframe: '1D', ...body });
  const { error, message } = response.json();
  return `${response.statusCode} ${error} ${message}`;
}

const time = (row: { timestamp: string } | undefined) => row?.timestamp.slice(0, 16);

test('500 days cost one request, the same question again none, and older ones a request of their own', async () => {
  const first = await history({});
  assert.deepEqual([first.provider, first.count, first.price_side, first.asked], ['alpaca', 500, 'trade', [1, 0, 0]]);
  assert.equal(time(first.rows.at(-1)), '2024-03-13T00:00');
  const again = await history({});
  assert.deepEqual([again.snapshot_id, again.asked], [first.snapshot_id, [0, 0, 0]]);
  const weeks = await history({ timeframe: '1w', start: first.rows[0].timestamp });
  assert.deepEqual(weeks.asked, [0, 0, 0], 'weeks are built from the days that are known');
  const older = await history({ cursor: first.next_cursor });
  assert.deepEqual([older.truncated, older.asked], [false, [1, 0, 0]]);
  assert.ok(older.rows.at(-1).timestamp < first.rows[0].timestamp);
  const all = await history({ limit: 2000 });
  assert.deepEqual(all.asked, [0, 0, 0]);
  assert.deepEqual(all.rows, [...older.rows, ...first.rows]);
});

test('previews show stored bars of any provider, and request none', async () => {
  const days = await history({});
  const before = requests();
  const source = { type: 'market', symbol: 'TSLA', timeframe: '1D' };
  const sources = [
    source,
    { ...source, provider: 'massive' },
    { ...source, symbol: 'NOSUCH' },
    { ...source, timeframe: '1w' },
  ];
  const url = '/api/v1/market-search/previews';
  const response = await app.inject({ method: 'POST', url, headers: guest, payload: { sources } });
  assert.equal(response.statusCode, 200, response.body);
  const [stored, notStored, unknown, weeks] = response.json().previews;
  assert.deepEqual([stored.values.length, stored.values.at(-1)], [40, days.rows.at(-1).close]);
  assert.deepEqual([notStored, unknown], [null, null]);
  assert.ok(weeks.values.length > 1, 'weeks are built from the days that are stored');
  assert.deepEqual(requests(), before);
});

test('every interval of a stock follows the session that was asked for', async () => {
  for (const [timeframe, regular, extended] of [
    ['1min', '2024-03-13T19:59', '2024-03-13T23:59'],
    ['5m', '2024-03-13T19:55', '2024-03-13T23:55'],
    ['15Min', '2024-03-13T19:45', '2024-03-13T23:45'],
    ['30min', '2024-03-13T19:30', '2024-03-13T23:30'],
    ['1Hour', '2024-03-13T19:00', '2024-03-13T23:00'],
    ['4h', '2024-03-13T16:00', '2024-03-13T20:00'],
  ] as const) {
    const inHours = await history({ timeframe });
    const inAllHours = await history({ timeframe, session: 'extended' });
    // Few trades are made in the extended hours, so that the last ones may have no bar.
    assert.equal(time(inHours.rows.at(-1)), regular, timeframe);
    assert.ok((time(inAllHours.rows.at(-1)) as string) > regular, timeframe);
    assert.ok((time(inAllHours.rows.at(-1)) as string) <= extended, timeframe);
    assert.deepEqual(inHours.asked.slice(1), [0, 0]);
  }
  // On Friday the clocks of New York showed winter time, on Monday summer time.
  const { rows } = await history({ timeframe: '1h', start: '2024-03-08T00:00:00Z', end: '2024-03-12T00:00:00Z' });
  const hours = rows.map(time);
  assert.deepEqual(
    [hours[0], hours[6], hours[7], hours.at(-1)],
    ['2024-03-08T14:00', '2024-03-08T20:00', '2024-03-11T13:00', '2024-03-11T19:00'],
  );
  for (const timeframe of ['1D', '1w', '1Month']) {
    assert.match(await refusal({ timeframe, session: 'extended' }), /^422 UNPROCESSABLE .*regular session/);
  }
});

test('adjustments are served by providers that have them, and refused by name by those that have not', async () => {
  assert.equal((await history({ adjustment: 'all', source: 'provider_a' })).adjustment, 'all');
  assert.match(
    await refusal({ adjustment: 'all', source: 'massive' }),
    /^422 .*massive: .*adjustment all; .*raw and split/,
  );
  const { provider, sourceRequested } = await history({ adjustment: 'raw', source: 'provider_b' });
  assert.deepEqual([provider, sourceRequested], ['massive', 'provider_b']);
  assert.match(await refusal({ price_side: 'bid' }), /^422 UNPROCESSABLE .*alpaca: It has trades/);
});

test('pairs have bids and asks, one symbol in every spelling, and the same rows for sessions and adjustments', async () => {
  const bids = await history({ symbol: 'EURUSD' });
  assert.deepEqual([bids.provider, bids.price_side, bids.count], ['dukascopy', 'bid', 500]);
  assert.deepEqual(bids.asked, [0, 0, 3], 'one request for each year');
  assert.ok(bids.rows.every(({ timestamp }: { timestamp: string }) => new Date(timestamp).getUTCDay() !== 6));
  for (const body of [
    { symbol: 'EUR/USD' },
    { symbol: 'eur-usd', session: 'extended' },
    { symbol: 'EURUSD', adjustment: 'raw', price_side: 'bid', source: 'provider_c' },
  ]) {
    const same = await history(body);
    assert.deepEqual([same.rows, same.asked], [bids.rows, [0, 0, 0]]);
  }
  const asks = await history({ symbol: 'EURUSD', price_side: 'ask' });
  assert.equal(asks.price_side, 'ask');
  assert.notDeepEqual(asks.rows, bids.rows);
});

test('a page of minutes is bounded, keeps gaps and closed hours, and names where to go on', async () => {
  const all: { timestamp: string }[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const body = { symbol: 'EURUSD', timeframe: '1m', limit: 50_000, start: '2024-02-11T00:00:00Z' };
    const page = await history({ ...body, ...(cursor && { cursor }) });
    all.unshift(...page.rows);
    cursor = page.next_cursor;
    assert.ok(pages < 10);
  }
  assert.ok(pages > 1);
  assert.equal(time(all[0]), '2024-02-11T22:00');
  const has = (minute: string) => all.some((row) => time(row) === minute);
  assert.deepEqual(['2024-03-08T21:59', '2024-03-08T22:00', '2024-03-10T20:59', '2024-03-10T21:00'].map(has), [
    true,
    false,
    false,
    true,
  ]);
  assert.deepEqual(['2024-03-12T11:59', '2024-03-12T12:05', '2024-03-12T12:10'].map(has), [true, false, true]);
  const fives = await history({ symbol: 'EURUSD', timeframe: '5min', limit: 500 });
  assert.deepEqual(fives.asked, [0, 0, 0], 'built from the minutes');
  assert.equal(fives.count, 500);
});

test('observations read on until all rows are there', async () => {
  const source = { type: 'market', symbol: 'EURUSD', timeframe: '1min', price_side: 'ask' };
  const url = '/api/v1/market-search/observations';
  const read = async (limit: number) =>
    (await app.inject({ method: 'POST', url, headers: guest, payload: { source, limit } })).json();
  const before = dukascopy.requests.length;
  const all = await read(50_000);
  assert.ok(dukascopy.requests.length - before > 20, 'more files than one page has');
  assert.deepEqual([time(all.rows[0]), all.truncated], ['2024-02-11T22:00', false]);
  const part = await read(1_000);
  assert.deepEqual([part.count, part.truncated], [1_000, true]);
});

test('all pages of a history have the provider and the price side of the first one', async () => {
  const asks = await history({ symbol: 'EURUSD', price_side: 'ask' });
  const frozen = await history({ symbol: 'EURUSD', snapshot_id: asks.snapshot_id });
  const cursor = frozen.next_cursor;
  assert.match(await refusal({ symbol: 'EURUSD', cursor }), /^400 INVALID_REQUEST cursor/);
  assert.equal((await history({ symbol: 'EURUSD', price_side: 'ask', cursor })).price_side, 'ask');
  alpaca.script.push(...Array(4).fill(sendText('', 503)));
  const first = await history({ adjustment: 'raw', start: '2022-01-01T00:00:00Z' });
  assert.deepEqual([first.provider, first.fallbackUsed], ['massive', true]);
  const next = await history({ adjustment: 'raw', start: '2022-01-01T00:00:00Z', cursor: first.next_cursor });
  assert.equal(next.provider, 'massive');
  const csv = await send({ symbol: 'EURUSD', timeframe: '1D', price_side: 'ask', format: 'csv' });
  assert.deepEqual([csv.headers['x-price-side'], csv.headers['x-truncated']], ['ask', 'true']);
});

test('another provider answers when one fails, is named, and a named one never falls back', async () => {
  now += 20 * 3_600_000;
  alpaca.script.push(...Array(12).fill(sendText('', 503)));
  const { provider, fallbackUsed } = await history({});
  assert.deepEqual([provider, fallbackUsed], ['massive', true]);
  assert.match(await refusal({ source: 'alpaca' }), /^502 PROVIDER_FAILED alpaca is unavailable/);
  alpaca.script.length = 0;
  assert.equal((await history({ source: 'alpaca' })).fallbackUsed, false);
  assert.match(await refusal({ symbol: 'NOSUCH' }), /^404 NOT_FOUND .*NOSUCH/);
});
