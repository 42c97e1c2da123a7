import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DukascopyServerOptions,
  encodeCandles,
  type FeedCandle,
  startDukascopyServer,
} from '../../../../test/support/market/dukascopy-server.ts';
import {
  cutBody,
  endlessBody,
  type Reply,
  sendAnswer,
  sendText,
  stallBody,
  type WireServer,
} from '../../../../test/support/platform/wire-server.ts';
import { type Clock, createProviderClient, ProviderError, type ProviderFault } from '../../../platform/index.ts';
import { collectBars } from '../collect-bars.ts';
import type { ListedInstrument, MarketProvider, PageQuery } from '../provider.ts';
import { createDukascopyProvider } from './dukascopy-provider.ts';
import { BUNDLED_PAIRS } from './instruments.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const at = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}:00Z`);

/** Returns candles at some instants whose prices can be told apart. */
function candlesAt(instants: readonly number[], first = 1.08): FeedCandle[] {
  return instants.map((timestamp, place) => {
    const open = Math.round((first + (place % 7_919) / 1e5) * 1e5) / 1e5;
    const [high, low] = [open + 20e-5, open - 30e-5].map((price) => Math.round(price * 1e5) / 1e5) as [number, number];
    return { timestamp, open, high, low, close: open, volume: 1.5 + (place % 13) };
  });
}

/** Returns the starts of all steps in which currencies are traded, from one instant to another. */
function openSteps(from: number, to: number, step: number): number[] {
  const steps: number[] = [];
  for (let instant = from; instant < to; instant += step) {
    const weekday = new Date(instant).getUTCDay();
    const hour = new Date(instant).getUTCHours();
    const isOpen =
      step === DAY ? weekday !== 6 : weekday === 0 ? hour >= 22 : weekday === 5 ? hour < 22 : weekday !== 6;
    if (isOpen) steps.push(instant);
  }
  return steps;
}

const NOW = at('2024-03-13T10:30');
const MINUTES = candlesAt(openSteps(at('2024-02-25'), NOW, MINUTE));
const HOURS = candlesAt(openSteps(at('2023-12-01'), NOW, HOUR));
const DAYS = candlesAt(openSteps(at('2021-06-01'), NOW, DAY));
const ASKS = DAYS.map((candle) => ({ ...candle, open: candle.low, close: candle.high }));
const EURO = { code: 'EUR-USD', bid: { minute: MINUTES, hour: HOURS, day: DAYS }, ask: { day: ASKS } };

function clockAt(now: number): Clock {
  return { now: () => new Date(now) };
}

function start(options: Partial<DukascopyServerOptions> = {}): Promise<WireServer> {
  return startDukascopyServer({ histories: [EURO], clock: () => NOW, ...options });
}

interface Reading extends Partial<PageQuery> {
  readonly now?: number;
  readonly attemptMs?: number;
  readonly listed?: ReadonlyMap<string, ListedInstrument>;
}

const client = (attemptMs?: number) =>
  createProviderClient({ provider: 'dukascopy', gate: null, random: () => 0, attemptMs });

function collect(server: WireServer, { now = NOW, attemptMs, listed, ...query }: Reading = {}) {
  const provider = createDukascopyProvider({
    url: server.url,
    requestsPerMinute: 60,
    clock: clockAt(now),
    ...(listed && { listed: () => listed }),
  });
  const series = { symbol: 'EURUSD', frequency: '1D', adjustment: 'raw', side: 'bid' } as const;
  return collectBars(provider, { ...series, end: now, limit: 100_000, ...query }, { http: client(attemptMs), at: now });
}

function addresses({ requests }: WireServer): string[] {
  return requests.map(({ path, query: { from } }) => {
    const file = path.replace('/v1/candles/', '');
    return from === undefined ? file : `${file}?from=${new Date(Number(from)).toISOString().slice(0, 10)}`;
  });
}

const completed = (candles: readonly FeedCandle[], step: number, now = NOW) =>
  candles.filter(({ timestamp }) => timestamp + step <= now);

async function assertBars(reading: ReturnType<typeof collect>, expected: readonly FeedCandle[]) {
  const { bars, dropped } = await reading;
  const { not_completed: _current, ...others } = dropped;
  assert.deepEqual(others, {});
  assert.deepEqual(
    Array.from(bars.timestamps),
    expected.map(({ timestamp }) => timestamp),
  );
  for (const field of ['open', 'high', 'low', 'close', 'volume'] as const) {
    assert.deepEqual(
      Array.from(bars.columns[field]),
      expected.map((candle) => candle[field]),
      field,
    );
  }
}

test('reads days by years, the latest first, and the current year by its start', async () => {
  await using server = await start();
  await assertBars(collect(server), completed(DAYS, DAY));
  assert.deepEqual(addresses(server), [
    'day/EUR-USD/BID?from=2024-01-01',
    'day/EUR-USD/BID/2023',
    'day/EUR-USD/BID/2022',
    'day/EUR-USD/BID/2021',
    'day/EUR-USD/BID/2020',
    '/v1/instruments/EUR-USD',
  ]);
});

test('500 days need one request for each year', async () => {
  await using server = await start();
  await assertBars(collect(server, { limit: 500 }), completed(DAYS, DAY).slice(-500));
  assert.equal(server.requests.length, 3);
});

test('bids and asks are different series', async () => {
  await using server = await start();
  await assertBars(collect(server, { side: 'ask', limit: 20 }), completed(ASKS, DAY).slice(-20));
  assert.deepEqual(addresses(server), ['day/EUR-USD/ASK?from=2024-01-01']);
});

test('reads hours by months and minutes by days', async () => {
  await using server = await start();
  const hours = completed(HOURS, HOUR).filter(({ timestamp }) => timestamp >= at('2024-02-28T13:00'));
  await assertBars(collect(server, { frequency: '1h', start: at('2024-02-28T13:00') }), hours);
  assert.deepEqual(addresses(server), ['hour/EUR-USD/BID?from=2024-03-01', 'hour/EUR-USD/BID/2024/2']);

  server.requests.length = 0;
  const minutes = completed(MINUTES, MINUTE).filter(({ timestamp }) => timestamp >= at('2024-03-08T12:00'));
  await assertBars(collect(server, { frequency: '1min', start: at('2024-03-08T12:00') }), minutes);
  const days = ['?from=2024-03-13', '/2024/3/12', '/2024/3/11', '/2024/3/10', '/2024/3/8'];
  assert.deepEqual(
    addresses(server),
    days.map((day) => `minute/EUR-USD/BID${day}`),
    'no file of a Saturday',
  );
});

test('the end selects the file, and a start before it selects no more', async () => {
  await using server = await start();
  const [from, to] = [at('2022-03-01'), at('2022-04-01')];
  const expected = DAYS.filter(({ timestamp }) => timestamp >= from && timestamp < to);
  await assertBars(collect(server, { start: from, end: to }), expected);
  await assertBars(
    collect(server, { start: at('2022-01-01'), end: at('2022-02-01') }),
    DAYS.filter(({ timestamp }) => timestamp >= at('2022-01-01') && timestamp < at('2022-02-01')),
  );
  await assertBars(
    collect(server, { start: at('2024-01-01'), end: at('2030-01-01') }),
    completed(DAYS, DAY).filter(({ timestamp }) => timestamp >= at('2024-01-01')),
  );
  assert.deepEqual(addresses(server), [
    'day/EUR-USD/BID/2022',
    'day/EUR-USD/BID/2022',
    'day/EUR-USD/BID?from=2024-01-01',
  ]);
});

test('a day without trading asks for the day before', async () => {
  await using server = await start();
  const saturday = { frequency: '1min', start: at('2024-03-09'), end: at('2024-03-10') } as const;
  await assertBars(collect(server, saturday), []);
  assert.deepEqual(addresses(server), [], 'no request for a Saturday alone');
  const weekend = { ...saturday, start: at('2024-03-08T21:58'), end: at('2024-03-10T12:00') };
  await assertBars(
    collect(server, weekend),
    MINUTES.filter(({ timestamp }) => timestamp >= weekend.start && timestamp < weekend.end),
  );
});

test('a read ends after 12 files and tells from where it is complete', async () => {
  const minutes = candlesAt(openSteps(at('2024-02-01'), NOW, MINUTE));
  await using server = await start({ histories: [{ code: 'EUR-USD', bid: { minute: minutes } }] });
  const { bars, reachedStart, completeFrom } = await collect(server, { frequency: '1min' });
  assert.equal(server.requests.length, 12);
  assert.equal(reachedStart, false);
  assert.equal(completeFrom, at('2024-02-29'));
  assert.equal(bars.timestamps[0], at('2024-02-29'));
});

test('a coin is read on Saturdays too', async () => {
  const every = Array.from({ length: 5 * 24 }, (_, hour) => at('2024-03-07') + hour * HOUR);
  const coin = { code: 'BTC-USD', group: 'VCCY', bid: { minute: candlesAt(every) } } as const;
  await using server = await start({ histories: [coin] });
  const query = { symbol: 'BTCUSD', frequency: '1min', start: at('2024-03-08'), end: at('2024-03-11') } as const;
  const expected = coin.bid.minute.filter(({ timestamp }) => timestamp >= query.start && timestamp < query.end);
  await assertBars(collect(server, query), expected);
  assert.deepEqual(
    addresses(server),
    [10, 9, 8].map((day) => `minute/BTC-USD/BID/2024/3/${day}`),
  );
});

test('the history ends at its first file, whether older files are missing or empty', async () => {
  for (const beforeStart of ['missing', 'empty'] as const) {
    const coin = { code: 'BTC-USD', bid: { day: DAYS, minute: MINUTES, hour: HOURS } };
    await using server = await start({ histories: [coin], beforeStart });
    const { reachedStart } = await collect(server, { symbol: 'BTCUSD' });
    assert.equal(reachedStart, true, beforeStart);
    await assertBars(collect(server, { symbol: 'BTCUSD', frequency: '1h' }), completed(HOURS, HOUR));
  }
});

test('a known start of a history saves requests for older files', async () => {
  await using server = await start({ histories: [{ code: 'BTC-USD', bid: { day: DAYS } }] });
  const { reachedStart } = await collect(server, { symbol: 'BTCUSD', end: at('2017-01-01'), now: NOW });
  assert.deepEqual([server.requests.length, reachedStart], [0, true]);
});

test('finds the last candles of an instrument that is no longer quoted', async () => {
  const minutes = candlesAt(openSteps(at('2022-06-06'), at('2022-06-08T15:00'), MINUTE));
  const days = candlesAt(openSteps(at('2022-01-03'), at('2022-06-09'), DAY));
  await using server = await start({ histories: [{ code: 'EUR-USD', bid: { minute: minutes, day: days } }] });
  await assertBars(collect(server, { frequency: '1min', limit: 100 }), minutes.slice(-100));
  assert.deepEqual(addresses(server), [
    'minute/EUR-USD/BID?from=2024-03-13',
    'day/EUR-USD/BID?from=2024-01-01',
    'day/EUR-USD/BID/2023',
    'day/EUR-USD/BID/2022',
    'minute/EUR-USD/BID/2022/6/8',
  ]);
});

test('a missing file inside the history is an error and not an empty file', async () => {
  await using server = await start();
  server.script.push(sendAnswer, sendText('', 404));
  await assert.rejects(collect(server), { fault: 'MALFORMED' });
  assert.deepEqual(addresses(server).slice(1), ['day/EUR-USD/BID/2023', '/v1/instruments/EUR-USD']);
});

test('an instrument that the feed does not have is not found', async () => {
  await using server = await start();
  await assert.rejects(collect(server, { symbol: 'GBPUSD' }), { fault: 'NOT_FOUND' });
  await assert.rejects(collect(server, { symbol: 'AAPL' }), { fault: 'NOT_FOUND' });
});

test('serves only symbols of its list, in every spelling, and after a listing only those', async () => {
  const gold = BUNDLED_PAIRS.get('XAUUSD') as ListedInstrument;
  const cardano = { ...gold, symbol: 'ADAUSD', aliases: ['ADA-USD'], class: 'coin' } as const;
  let listed: ReadonlyMap<string, ListedInstrument> | null = null;
  const provider = createDukascopyProvider({ url: 'http://127.0.0.1:1', requestsPerMinute: 60, listed: () => listed });
  const canonical = (texts: readonly string[]) => texts.map((text) => provider.canonicalSymbol(text));
  const texts = ['EUR/USD', 'eur-usd', 'XAUUSD', 'ADA/USD', 'TSLA', 'BTC', 'gold'];
  assert.deepEqual(canonical(texts), ['EURUSD', 'EURUSD', 'XAUUSD', null, null, null, null]);
  assert.deepEqual(['EURUSD', 'XAUUSD', 'BTCUSD'].map(provider.kindOf), ['currency', 'currency', 'plain']);
  listed = new Map([
    ['XAUUSD', gold],
    ['ADAUSD', cardano],
  ]);
  assert.deepEqual(canonical(texts), [null, null, 'XAUUSD', 'ADAUSD', null, null, null]);
  assert.deepEqual(['XAUUSD', 'ADAUSD'].map(provider.kindOf), ['currency', 'plain']);
});

test('a listed instrument whose history starts at an unknown date is read to its first file', async () => {
  const bitcoin = BUNDLED_PAIRS.get('BTCUSD') as ListedInstrument;
  const listed = new Map([['ADAUSD', { ...bitcoin, symbol: 'ADAUSD', aliases: ['ADA-USD'] }]]);
  const query = { symbol: 'ADAUSD', listed };
  for (const beforeStart of ['missing', 'empty'] as const) {
    await using server = await start({ histories: [{ ...EURO, code: 'ADA-USD' }], beforeStart });
    await assertBars(collect(server, query), completed(DAYS, DAY));
    await assertBars(collect(server, { ...query, frequency: '1h' }), completed(HOURS, HOUR));
    server.script.push(sendText('{}', 404), sendText('{"code":"ADA-USD"}'));
    await assert.rejects(collect(server, query), { fault: 'MALFORMED' }, 'no start is stated');
  }
});

async function readSymbols(provider: MarketProvider): Promise<string[]> {
  const symbols: string[] = [];
  for await (const batch of provider.readListing?.(client()) ?? []) symbols.push(...batch.map(({ symbol }) => symbol));
  return symbols;
}

test('yields the listing, and fails if its form changes', async () => {
  const metal = { code: 'XAU-USD', group: 'FX_METALS', description: 'Gold vs US Dollar' } as const;
  const coin = { code: 'ADA-USD', group: 'VCCY', description: 'Cardano vs US Dollar' } as const;
  const stock = { code: 'AAPL.US-USD', group: 'US', description: 'Apple Inc.' } as const;
  await using server = await start({ listing: [metal, coin, stock] });
  const provider = createDukascopyProvider({ url: server.url, requestsPerMinute: 60 });
  const symbols = await readSymbols(provider);
  assert.deepEqual(symbols, ['EURUSD', 'XAUUSD', 'ADAUSD']);
  server.script.push(sendText('{"instruments":[],"groups":[]}'));
  await assert.rejects(readSymbols(provider), { fault: 'MALFORMED' });
});

const file = (rows: readonly FeedCandle[], from: string) => encodeCandles(rows, { start: at(from), period: 'day' });
const OF_2024 = DAYS.filter(({ timestamp }) => timestamp >= at('2024-01-01'));

const FAULTS: readonly (readonly [name: string, replies: readonly Reply[], fault: ProviderFault])[] = [
  ['403', [sendText('SECRET', 403)], 'FORBIDDEN'],
  ['429 without a time', Array(4).fill(sendText('SECRET', 429)), 'RATE_LIMITED'],
  ['429 with a long time', [sendText('', 429, { 'retry-after': '60' })], 'RATE_LIMITED'],
  ['500', Array(4).fill(sendText('SECRET', 500)), 'UNAVAILABLE'],
  ['HTML', Array(2).fill(sendText('<!doctype html><title>SECRET</title>')), 'MALFORMED'],
  ['a cut body', Array(4).fill(cutBody), 'TRUNCATED'],
  ['an endless body', [endlessBody], 'TOO_LARGE'],
  ['a body that does not end in time', Array(4).fill(stallBody), 'TIMEOUT'],
  ['another year', [sendText(file(OF_2024, '2023-01-01'))], 'MALFORMED'],
  ['unsorted candles', [sendText(file([...OF_2024].reverse(), '2024-01-01'))], 'MALFORMED'],
  ['duplicate candles', [sendText(file([...OF_2024.slice(0, 3), ...OF_2024.slice(2)], '2024-01-01'))], 'MALFORMED'],
  [
    'candles of minutes',
    [sendText(encodeCandles(OF_2024, { start: at('2024-01-01'), period: 'minute' }))],
    'MALFORMED',
  ],
  ['nothing', Array(2).fill(sendText('')), 'MALFORMED'],
  ['an empty object', [sendText('{}')], 'MALFORMED'],
];

for (const [name, replies, fault] of FAULTS) {
  test(`${name} is the fault ${fault}`, async () => {
    await using server = await start();
    server.script.push(...replies);
    await assert.rejects(collect(server, { attemptMs: fault === 'TIMEOUT' ? 50 : 5_000 }), (error) => {
      assert.ok(error instanceof ProviderError, String(error));
      assert.equal(error.fault, fault);
      assert.doesNotMatch(error.message, /SECRET|127\.0\.0\.1|\?from/);
      return true;
    });
    assert.equal(server.requests.length, replies.length);
  });
}

test('a temporary failure of a file is retried', async () => {
  await using server = await start();
  server.script.push(sendText('', 503), cutBody, sendText('', 429, { 'retry-after': '0' }));
  await assertBars(collect(server, { limit: 10 }), completed(DAYS, DAY).slice(-10));
});

test('absurd prices and candles of the future are left out by name', async () => {
  const rows = OF_2024.map((row, place) =>
    place === 3 ? { ...row, low: -1 } : place === 5 ? { ...row, high: 0.5 } : row,
  );
  const future = candlesAt(openSteps(at('2024-03-13'), at('2024-03-20'), DAY));
  await using server = await start();
  const text = file([...rows.filter(({ timestamp }) => timestamp < at('2024-03-13')), ...future], '2024-01-01');
  server.script.push(sendText(text));
  const { bars, dropped } = await collect(server, { start: at('2024-01-01'), end: at('2024-04-01') });
  assert.deepEqual(dropped, { not_positive: 1, high_below_low: 1, not_completed: future.length });
  assert.equal(bars.timestamps.length, completed(OF_2024, DAY).length - 2);
});
