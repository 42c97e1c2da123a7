import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsAt, memoryProvider } from '../../test/support/market/memory-provider.ts';
import { listedStock } from '../../test/support/market/stocks.ts';
import { ALL_LICENSES } from '../access/index.ts';
import { DAY_MS, gridOf, MINUTE_MS, sessionHours, sessionsBetween } from '../calendar/index.ts';
import type { BarsContext, InstrumentFinder } from './context.ts';
import type { MarketProvider, PageQuery, RawBar } from './providers/provider.ts';
import { type BarSettings, readBars } from './read-bars.ts';

const HALF_HOUR = 30 * MINUTE_MS;

/** Returns half hours of all hours of the sessions between two dates: prices rise by one, volumes are one. */
function halfHours(from: string, to: string): RawBar[] {
  const times: number[] = [];
  for (const day of sessionsBetween(Date.parse(from), Date.parse(to))) {
    const { open, close } = sessionHours(day, 'extended');
    for (let time = open; time < close; time += HALF_HOUR) times.push(time);
  }
  return barsAt(times).map((bar) => ({ ...bar, volume: 1 }));
}

interface Scene {
  readonly now: string;
  readonly directory?: InstrumentFinder;
}

function marketOf(providers: readonly MarketProvider[], { now, directory }: Scene): BarsContext {
  return { providers, licenses: ALL_LICENSES, clock: { now: () => new Date(now) }, ...(directory && { directory }) };
}

function read(market: BarsContext, wanted: Partial<BarSettings> = {}) {
  const now = market.clock.now().getTime();
  const settings = {
    symbol: 'XYZ',
    source: 'auto',
    frequency: '1D',
    limit: 500,
    adjustment: 'split',
    session: 'regular',
    priceSide: null,
    start: null,
    ...wanted,
  } as const;
  return readBars(market, settings, { end: now, at: now });
}

const instants = (timestamps: Float64Array): string[] =>
  Array.from(timestamps, (time) => new Date(time).toISOString().slice(0, 16));

test('builds hours from half hours, and no trade before the open is in a regular one', async () => {
  // A Friday with an early close at 13:00, then a Monday.
  const provider = memoryProvider({
    frequencies: ['1min', '30min', '1D'],
    rows: halfHours('2024-11-29', '2024-12-02'),
  });
  const market = marketOf([provider], { now: '2024-12-03T06:00:00Z' });
  const hours = await read(market, { frequency: '1h' });
  assert.deepEqual(instants(hours.bars.timestamps), [
    '2024-11-29T14:00',
    '2024-11-29T15:00',
    '2024-11-29T16:00',
    '2024-11-29T17:00',
    ...['14', '15', '16', '17', '18', '19', '20'].map((hour) => `2024-12-02T${hour}:00`),
  ]);
  // The first hour has one half hour: 14:30 to 15:00 in UTC, which is 9:30 to 10:00 in New York.
  assert.deepEqual([...hours.bars.columns.volume.slice(0, 3)], [1, 2, 2]);
  const extended = await read(market, { frequency: '1h', session: 'extended' });
  assert.equal(instants(extended.bars.timestamps)[0], '2024-11-29T09:00');
  assert.ok(extended.bars.columns.volume.every((volume) => volume === 2));
  const fours = await read(market, { frequency: '4h' });
  assert.deepEqual(instants(fours.bars.timestamps), [
    '2024-11-29T12:00',
    '2024-11-29T16:00',
    '2024-12-02T12:00',
    '2024-12-02T16:00',
    '2024-12-02T20:00',
  ]);
  assert.deepEqual([...fours.bars.columns.volume], [3, 4, 3, 8, 2]);
});

test('the hours follow the clocks of New York', async () => {
  const provider = memoryProvider({ frequencies: ['30min'], rows: halfHours('2024-03-08', '2024-03-11') });
  const market = marketOf([provider], { now: '2024-03-12T02:00:00Z' });
  const { bars } = await read(market, { frequency: '30min' });
  const times = instants(bars.timestamps);
  assert.equal(times.length, 26);
  assert.deepEqual(
    [times[0], times[12], times[13], times[25]],
    ['2024-03-08T14:30', '2024-03-08T20:30', '2024-03-11T13:30', '2024-03-11T19:30'],
  );
});

test('reads further back until there are enough bars within the hours', async () => {
  const queries: PageQuery[] = [];
  const provider = memoryProvider({ frequencies: ['30min'], rows: halfHours('2022-01-03', '2024-03-08') });
  const { fetchPage } = provider;
  const watched: MarketProvider = {
    ...provider,
    fetchPage: (query, ...rest) => {
      queries.push(query);
      return fetchPage(query, ...rest);
    },
  };
  const market = marketOf([watched], { now: '2024-03-09T06:00:00Z' });
  const { bars, olderBefore } = await read(market, { frequency: '1h', limit: 500 });
  assert.equal(bars.timestamps.length, 500);
  assert.equal(olderBefore, bars.timestamps[0]);
  const grid = gridOf({ frequency: '1h', kind: 'exchange', hours: 'regular' });
  assert.equal(grid.steps(bars.timestamps[0] as number, bars.timestamps[499] as number), 499, 'without gaps');
  assert.ok(queries.every(({ frequency, side }) => frequency === '30min' && side === 'trade'));
});

test('an hour that a delayed provider does not have completely is not built', async () => {
  const rows = halfHours('2024-03-08', '2024-03-08').filter(
    ({ timestamp }) => Number(timestamp) <= Date.parse('2024-03-08T15:00:00Z'),
  );
  const provider = { ...memoryProvider({ frequencies: ['30min'], rows }), delayMinutes: 15 };
  const { bars } = await read(marketOf([provider], { now: '2024-03-08T16:05:00Z' }), { frequency: '1h' });
  assert.deepEqual(instants(bars.timestamps), ['2024-03-08T14:00']);
});

test('a page limit of the provider bounds a response, which names where older bars begin', async () => {
  const rows = barsAt(Array.from({ length: 100 }, (_, i) => Date.UTC(2024, 0, 1) + i * MINUTE_MS));
  const provider: MarketProvider = {
    ...memoryProvider({ id: 'dukascopy', frequencies: ['1min'], rows, page: 10 }),
    serves: 'currencies',
    kindOf: () => 'plain',
    maxPagesPerRead: 3,
  };
  const market = marketOf([provider], { now: '2024-01-02T00:00:00Z' });
  const one = await read(market, { frequency: '1min' });
  assert.deepEqual([one.bars.timestamps.length, one.olderBefore], [30, one.bars.timestamps[0]]);
  // Of the first five minutes, the minutes before the oldest page are missing.
  const five = await read(market, { frequency: '5min' });
  assert.equal(five.bars.timestamps.length, 6);
  assert.ok(five.bars.columns.volume.every((volume) => volume > 5_000));
});

test('serves the default side, and refuses a side that a provider does not have', async () => {
  const rows = barsAt(sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 5)));
  const quotes: MarketProvider = { ...memoryProvider({ id: 'dukascopy', rows }), sides: ['bid', 'ask'] };
  const trades = memoryProvider({ rows });
  const scene = { now: '2024-02-01T00:00:00Z' };
  assert.equal((await read(marketOf([quotes], scene))).side, 'bid');
  assert.equal((await read(marketOf([quotes], scene), { priceSide: 'ask' })).side, 'ask');
  assert.equal((await read(marketOf([trades], scene))).side, 'trade');
  await assert.rejects(read(marketOf([trades], scene), { priceSide: 'bid' }), {
    code: 'UNPROCESSABLE',
    message: /alpaca: It has trades, not bids or asks; omit price_side/,
  });
});

test('refuses extended hours of whole days, and adjustments that a provider does not have', async () => {
  const scene = { now: '2024-02-01T00:00:00Z' };
  const provider: MarketProvider = { ...memoryProvider({ rows: [] }), adjustments: ['raw', 'split'] };
  const market = marketOf([provider], scene);
  for (const frequency of ['1D', '1W-MON', '1MS'] as const) {
    await assert.rejects(read(market, { frequency, session: 'extended' }), { message: /regular session/ });
  }
  await assert.rejects(read(market, { adjustment: 'all' }), {
    message: /alpaca: .*adjustment all; it offers raw and split/,
  });
  await assert.rejects(read(market, { frequency: '1h' }), { message: /alpaca: It has no 1h bars/ });
});

/** A directory in which the providers list these symbols; a provider that is left out was never read. */
function directoryOf(listed: Readonly<Record<string, readonly string[]>>): InstrumentFinder {
  return {
    find: async (provider, symbol) => {
      const symbols = listed[provider];
      if (symbols === undefined) return 'unread';
      return symbols.includes(symbol) ? listedStock(symbol) : 'absent';
    },
  };
}

test('chooses among the providers that list a symbol, and uses bundled data only if none does', async () => {
  const now = '2024-02-01T00:00:00Z';
  const rows = barsAt(sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 5)));
  const asked: string[] = [];
  const stock = (id: string) => memoryProvider({ id, rows, onRequest: () => asked.push(id) });
  const pairs: MarketProvider = {
    ...stock('dukascopy'),
    serves: 'currencies',
    canonicalSymbol: (symbol) => (symbol === 'EURUSD' ? symbol : null),
  };
  const bundled: MarketProvider = { ...stock('bundled'), list: async () => [] };
  const all = [stock('alpaca'), stock('massive'), pairs, bundled];
  const served = async (symbol: string, listed: Readonly<Record<string, readonly string[]>>) => {
    asked.length = 0;
    const { provider } = await read(marketOf(all, { now, directory: directoryOf(listed) }), { symbol });
    assert.deepEqual(asked, [provider]);
    return provider;
  };
  assert.equal(await served('XYZ', {}), 'alpaca', 'a listing that was never read counts as listing every stock');
  assert.equal(await served('XYZ', { alpaca: [] }), 'massive');
  assert.equal(await served('XYZ', { massive: ['XYZ'] }), 'massive', 'a provider that is known to list it comes first');
  assert.equal(await served('EURUSD', {}), 'dukascopy');
  assert.equal(await served('EURUSD', { alpaca: ['EURUSD'] }), 'alpaca');
  assert.equal(await served('XYZ', { alpaca: [], massive: [] }), 'bundled');
});

test('reads only whole periods from the start of a request', async () => {
  const rows = halfHours('2024-03-08', '2024-03-08');
  const provider = memoryProvider({ frequencies: ['30min'], rows });
  const market = marketOf([provider], { now: new Date(Date.UTC(2024, 2, 8) + 2 * DAY_MS).toISOString() });
  const { bars } = await read(market, { frequency: '1h', start: Date.parse('2024-03-08T15:30:00Z') });
  assert.equal(instants(bars.timestamps)[0], '2024-03-08T16:00');
  assert.deepEqual([bars.columns.volume[0], bars.timestamps.length], [2, 5]);
});
