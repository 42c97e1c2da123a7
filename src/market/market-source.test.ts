import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsAt, memoryProvider } from '../../test/support/market/memory-provider.ts';
import { checkSeriesSource } from '../../test/support/snapshots/series-source-contract.ts';
import { futureTimestamps, sessionsBetween } from '../calendar/index.ts';
import { type MarketReference, SeriesDescription } from '../contract/index.ts';
import type { Database } from '../platform/index.ts';
import { ProviderError } from '../platform/index.ts';
import type { SnapshotExports } from '../snapshots/index.ts';
import { createBundledProvider, createMarket, createMarketSource, type MarketProvider } from './index.ts';

/** Reading bundled bars needs no database: any use of it fails the test. */
const unusable = new Proxy({}, { get: () => assert.fail('The source used the database.') });

function sourceAt(now: string, ...providers: MarketProvider[]) {
  const market = createMarket({
    database: unusable as Database,
    exports: unusable as SnapshotExports,
    cursorKey: async () => assert.fail('The source created a cursor.'),
    clock: { now: () => new Date(now) },
    providers: providers.length > 0 ? providers : [createBundledProvider()],
  });
  return createMarketSource(market);
}

const NOW = '2026-11-15T00:00:00Z';
const AAPL: MarketReference = { type: 'market', symbol: 'AAPL', timeframe: '1D' };
const INDEX: MarketReference = { type: 'market', symbol: '^GSPC', timeframe: '1D', provider: 'bundled' };

checkSeriesSource('the market', async () => ({
  source: sourceAt(NOW) as never,
  at: (now) => sourceAt(now.toISOString()) as never,
  known: [
    AAPL,
    INDEX,
    { ...INDEX, timeframe: '1w', adjustment: 'all', value_field: 'high' },
    { ...AAPL, timeframe: '1Month', value_field: 'volume' },
  ],
  unknown: [
    { ...AAPL, symbol: 'NOPE' },
    { ...AAPL, symbol: '' },
  ],
}));

test('refuses an unknown value field and unsupported references', async () => {
  const source = sourceAt(NOW);
  await assert.rejects(source.read({ ...AAPL, value_field: 'vwap' }, {}), {
    code: 'INVALID_REQUEST',
    message: /^source\.value_field: .*open, high, low, close, volume/,
  });
  await assert.rejects(source.read({ ...AAPL, adjustment: 'raw' }, {}), { code: 'UNPROCESSABLE' });
  await assert.rejects(source.read({ ...AAPL, provider: 'alpaca' }, {}), { code: 'UNPROCESSABLE' });
  await assert.rejects(source.describe({ ...AAPL, provider: 'provider_b' }), { code: 'UNPROCESSABLE' });
});

test('treats a future cutoff as now', async () => {
  const source = sourceAt('2015-06-03T19:00:00Z');
  const { table } = await source.read(AAPL, { cutoff: Date.UTC(2030, 0, 1) });
  assert.equal(table.timestamps.at(-1), Date.UTC(2015, 5, 2), 'the session of June 3 had another hour');
});

test('serves a currency with its kind, which has no hours to choose from', async () => {
  const hours = futureTimestamps({ frequency: '1h', kind: 'currency' }, Date.parse('2024-01-05T12:00Z'), 20);
  const closed = Date.parse('2024-01-06T12:00Z');
  const pair: MarketProvider = {
    ...memoryProvider({ id: 'dukascopy', frequencies: ['1h', '1D'], rows: barsAt([...hours, closed]) }),
    serves: 'currencies',
    kindOf: () => 'currency',
  };
  for (const session of ['regular', 'extended'] as const) {
    const reference = { type: 'market', symbol: 'EURUSD', timeframe: '1h', session } as const;
    const { table, cadence } = await sourceAt(NOW, pair).read(reference, {});
    assert.deepEqual(cadence, { frequency: '1h', kind: 'currency' });
    assert.deepEqual(table.timestamps, hours);
  }
});

test('reads nothing before a cutoff outside the calendar', async () => {
  for (const timeframe of ['1D', '1w', '1Month'] as const) {
    const { table } = await sourceAt(NOW).read({ ...AAPL, timeframe }, { cutoff: Date.parse('0001-01-01T00:00:00Z') });
    assert.equal(table.timestamps.length, 0);
  }
});

for (const failing of [1, 2]) {
  test(`reads both times from one provider for a cutoff in days: the preferred one fails in read ${failing}`, async () => {
    const days = sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 2, 28));
    let reads = 0;
    const preferred = memoryProvider({
      rows: barsAt(days).map((bar) => ({ ...bar, low: 50, close: 100 })),
      fails: () => (++reads === failing ? new ProviderError('alpaca', 'UNAVAILABLE') : null),
    });
    const other = memoryProvider({ id: 'massive', rows: barsAt(days) });
    const source = sourceAt(NOW, preferred, other);
    const read = source.readDaysBefore ?? assert.fail();
    const rows = await read({ type: 'market', symbol: 'XYZ', timeframe: '1D' }, { days: 10 });
    assert.deepEqual([rows.provider, rows.fallbackUsed], ['massive', true]);
    assert.equal(new Date(rows.cutoff).toISOString(), '2024-03-18T20:00:00.000Z');
    assert.equal(rows.table.timestamps.at(-1), Date.UTC(2024, 2, 18));
    assert.equal((rows.about.source as MarketReference).provider, 'massive');
    assert.equal((await source.read({ type: 'market', symbol: 'XYZ', timeframe: '1D' }, {})).fallbackUsed, false);
  });
}

test('the description of the rows names the price side only if the reference does', async () => {
  const rows = barsAt(sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 5)));
  const quotes: MarketProvider = { ...memoryProvider({ id: 'dukascopy', rows }), sides: ['bid', 'ask'] };
  const reference = { type: 'market', symbol: 'EURUSD', timeframe: '1D' } as const;
  const named = await sourceAt(NOW, quotes).read({ ...reference, price_side: 'bid' }, {});
  assert.equal((named.about.source as MarketReference).price_side, 'bid');
  const unnamed = await sourceAt(NOW, quotes).read(reference, {});
  assert.ok(!Object.hasOwn(unnamed.about.source as object, 'price_side'));
});

test('describes an instrument without a listing after one request, and from a listing after none', async () => {
  let requests = 0;
  const rows = barsAt(sessionsBetween(Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 5)));
  const provider = memoryProvider({ frequencies: ['30min', '1D'], rows, onRequest: () => requests++ });
  const reference = { type: 'market', symbol: 'XYZ', timeframe: '1D' } as const;
  const description = await sourceAt(NOW, provider).describe(reference);
  assert.equal(requests, 1);
  assert.partialDeepStrictEqual(SeriesDescription.parse(description), {
    title: 'XYZ',
    timeframes: ['30min', '1h', '4h', '1D', '1W-MON', '1MS'],
    price_sides: ['trade'],
    span: null,
    rows: null,
    reporting_period: 'session',
  });
  await assert.rejects(sourceAt(NOW, { ...provider, canonicalSymbol: () => null }).describe(reference), {
    code: 'NOT_FOUND',
  });
});
