import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_REQUESTS } from '../../../../test/support/platform/no-requests.ts';
import { checkSeries } from '../../../calendar/index.ts';
import { type Adjustment, SeriesDescription, Source } from '../../../contract/index.ts';
import type { BarQuery } from '../../bars.ts';
import type { BarPage, RawBar } from '../provider.ts';
import { createBundledProvider, describeBundledInstrument } from './bundled-provider.ts';
import { adjustRow, BUNDLED_INSTRUMENTS, parseHistory } from './instruments.ts';

const provider = createBundledProvider();

function query(symbol: string, rest: Partial<BarQuery> = {}): BarQuery {
  const end = Date.UTC(2030, 0, 1);
  return {
    symbol,
    frequency: '1D',
    adjustment: 'split',
    session: 'regular',
    end,
    limit: 1e6,
    ...rest,
  };
}

function fetch(symbol: string, rest: Partial<BarQuery> = {}): Promise<BarPage> {
  return provider.fetchPage({ ...query(symbol, rest), side: 'trade' }, null, NO_REQUESTS);
}

type Bar = Record<keyof RawBar, number>;
const barsOf = async (symbol: string, rest: Partial<BarQuery> = {}) => (await fetch(symbol, rest)).bars as Bar[];

const FILES = [
  {
    symbol: '^GSPC',
    rows: 5105,
    first: ['2000-01-03', 1469.25, 1478, 1438.359985, 1455.219971, 931_800_000],
    last: ['2020-04-17', 2842.429932, 2879.219971, 2830.879883, 2874.560059, 5_792_140_000],
    adjustments: ['raw', 'split', 'all'],
  },
  {
    symbol: 'AAPL',
    rows: 1260,
    first: ['2013-05-13', 64.501427, 65.414284, 64.5, 64.96286, 79_237_200],
    last: ['2018-05-11', 189.490005, 190.059998, 187.449997, 188.589996, 25_806_600],
    adjustments: ['split', 'all'],
  },
] as const;

const listOf = ({ timestamp, open, high, low, close, volume }: Bar) => {
  return [new Date(timestamp).toISOString().slice(0, 10), open, high, low, close, volume];
};

for (const { symbol, rows, first, last, adjustments } of FILES) {
  test(`${symbol}: returns every row of the file`, async () => {
    const bars = await barsOf(symbol);
    assert.equal(bars.length, rows);
    assert.deepEqual(bars.slice(0, 1).map(listOf), [first]);
    assert.deepEqual(bars.slice(-1).map(listOf), [last]);
  });

  for (const adjustment of adjustments) {
    test(`${symbol} ${adjustment}: has a plausible bar for every session`, async () => {
      const bars = await barsOf(symbol, { adjustment });
      const impossible = bars.filter(
        ({ open, high, low, close, volume }) =>
          !(high >= Math.max(open, close) && low <= Math.min(open, close) && low > 0 && volume > 0),
      );
      assert.deepEqual(impossible.map(listOf), []);
      const times = bars.map(({ timestamp }) => timestamp);
      const closes = bars.map(({ close }) => close);
      assert.equal(checkSeries({ frequency: '1D', kind: 'exchange' }, times, closes, 0).times.length, rows);
    });
  }

  test(`${symbol}: describes and lists the instrument`, async () => {
    const description = SeriesDescription.parse(await provider.describe?.(symbol.toLowerCase()));
    const span = { start: `${first[0]}T00:00:00.000Z`, end: `${last[0]}T00:00:00.000Z` };
    assert.equal(description.rows, rows);
    assert.deepEqual(description.span, span);
    assert.deepEqual(description.adjustments, adjustments);
    assert.match(description.publisher, /^Yahoo Finance, by way of .+@\d+\.\d+\.\d+$/);
    const listed = (await provider.list?.())?.find(
      ({ source }) => source.type === 'market' && source.symbol === symbol,
    );
    assert.deepEqual(listed?.span, span);
    assert.deepEqual(Source.parse(listed?.source), { type: 'market', symbol, provider: 'bundled', timeframe: '1D' });
  });
}

test('AAPL: adjusts the first row for dividends and splits', async () => {
  const [bar] = await barsOf('AAPL', { adjustment: 'all', end: Date.UTC(2013, 4, 14) });
  const factor = 50.961628 / 64.96286;
  for (const [value, expected] of [
    [bar?.open, 64.501427 * factor],
    [bar?.high, 65.414284 * factor],
    [bar?.low, 64.5 * factor],
    [bar?.close, 50.961628],
  ] as const) {
    assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-9, `${value} is not ${expected}`);
  }
  assert.equal(bar?.volume, 79_237_200);
});

test('keeps a close equal to the high under any factor', () => {
  for (let cents = 1; cents < 1000; cents++) {
    const price = cents / 7;
    const row = { timestamp: 0, open: price, high: price, low: price, close: price, adjustedClose: 0.3, volume: 1 };
    const { open, high, low, close } = adjustRow(row, 'all');
    assert.deepEqual([open, high, low], [close, close, close]);
  }
});

test('^GSPC: has the same prices for every adjustment', async () => {
  const [raw, split, all] = await Promise.all(
    (['raw', 'split', 'all'] satisfies Adjustment[]).map((adjustment) => fetch('^GSPC', { adjustment })),
  );
  assert.deepEqual(raw, split);
  assert.deepEqual(split, all);
});

test('returns the latest bars from the start up to the end', async () => {
  const within = { start: Date.UTC(2014, 0, 2), end: Date.UTC(2014, 0, 8) };
  const days = (bars: Bar[]) => bars.map(({ timestamp }) => new Date(timestamp).getUTCDate());
  assert.deepEqual(days(await barsOf('AAPL', within)), [2, 3, 6, 7]);
  assert.deepEqual(
    days(await barsOf('AAPL', { ...within, limit: 2 })),
    [3, 6, 7],
    'one more shows that there are older bars',
  );
  assert.deepEqual(await fetch('AAPL', { end: Date.UTC(2013, 4, 13) }), { bars: [], olderToken: null });
});

test('finds symbols in any case and by their aliases', async () => {
  const bars = await barsOf('^GSPC', { limit: 1 });
  for (const symbol of ['^gspc', 'SPX', 'spx', 'GSPC']) assert.deepEqual(await barsOf(symbol, { limit: 1 }), bars);
});

test('gives a reason for unsupported queries and an error for an unknown symbol', async () => {
  assert.equal(provider.unsupportedReason?.(query('AAPL')), null);
  assert.equal(provider.unsupportedReason?.(query('^GSPC', { adjustment: 'raw' })), null);
  assert.equal(provider.unsupportedReason?.(query('MSFT', { adjustment: 'raw' })), null);
  assert.match(
    provider.unsupportedReason?.(query('aapl', { adjustment: 'raw' })) ?? '',
    /AAPL has no raw prices.* split and all/,
  );
  assert.equal(provider.unsupportedReason?.(query('AAPL', { frequency: '1W-MON' })), null);
  assert.match(provider.unsupportedReason?.(query('AAPL', { frequency: '1h' })) ?? '', /daily/);
  assert.match(provider.unsupportedReason?.(query('AAPL', { priceSide: 'bid' })) ?? '', /trades/);
  assert.match(provider.unsupportedReason?.(query('AAPL', { session: 'extended' })) ?? '', /regular session/);
  await assert.rejects(fetch('MSFT'), { name: 'ProviderError', fault: 'NOT_FOUND', provider: 'bundled' });
  assert.equal(await describeBundledInstrument('MSFT'), null);
});

test('refuses a file with unexpected columns', async () => {
  const [index] = BUNDLED_INSTRUMENTS;
  assert.ok(index !== undefined);
  const columns = ['date', 'open', 'high', 'low', 'close', 'Adj Close', 'volume'] as const;
  await assert.rejects(parseHistory({ ...index, columns }), /sp500-2000\.csv, line 1: the columns are/);
});
