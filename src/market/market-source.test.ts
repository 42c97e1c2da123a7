import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsAt, memoryProvider } from '../../test/support/market/memory-provider.ts';
import { checkSeriesSource } from '../../test/support/snapshots/series-source-contract.ts';
import { futureTimestamps } from '../calendar/index.ts';
import type { MarketReference } from '../contract/index.ts';
import type { Database } from '../platform/index.ts';
import type { SnapshotExports } from '../snapshots/index.ts';
import { createBundledProvider, createMarket, createMarketSource, type MarketProvider } from './index.ts';

/** Reading bundled bars needs no database: any use of it fails the test. */
const unusable = new Proxy({}, { get: () => assert.fail('The source used the database.') });

function sourceAt(now: string, provider: MarketProvider = createBundledProvider()) {
  const market = createMarket({
    database: unusable as Database,
    exports: unusable as SnapshotExports,
    cursorKey: async () => assert.fail('The source created a cursor.'),
    clock: { now: () => new Date(now) },
    providers: [provider],
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
