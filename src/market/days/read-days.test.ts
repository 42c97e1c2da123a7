import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { memoryProvider } from '../../../test/support/market/memory-provider.ts';
import { EVERY_LICENSE, licensesWithout } from '../../access/index.ts';
import type { MarketContext } from '../context.ts';
import { createMarket } from '../create-market.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { listEverySymbol } from './list-every-symbol.ts';
import { type DaysRead, readDays } from './read-days.ts';

const SESSION = '2024-03-28';
const BARS = barsEndingAt(SESSION, [10, 11, 12]);

function marketOf(providers: readonly MarketProvider[], licenses = EVERY_LICENSE): MarketContext {
  // Providers without a budget ask no database.
  return createMarket({ providers, licenses } as unknown as Parameters<typeof createMarket>[0]);
}

async function read(market: MarketContext, symbols: readonly string[]): Promise<DaysRead[]> {
  const start = Date.UTC(2024, 2, 1);
  const all: DaysRead[] = [];
  const wanted = { symbols, start, end: Date.UTC(2024, 2, 29), at: Date.UTC(2024, 3, 2) };
  for await (const some of readDays(market, wanted)) all.push(...some);
  return all;
}

const say = (reads: readonly DaysRead[]) =>
  reads.map(({ symbol, provider, bars, failure }) =>
    [symbol, provider ?? '-', bars?.timestamps.length ?? 0, failure?.fault ?? '-'].join(' '),
  );

test('each symbol comes from the first provider that has it, entirely, in the order they were asked for', async () => {
  const first = bulkProvider({ B: BARS.slice(0, 1) });
  const second = bulkProvider({ A: BARS, B: BARS, C: [] }, 'massive');
  const reads = await read(marketOf([first, second]), ['A', 'B', 'C', 'D']);
  assert.deepEqual(say(reads), ['A massive 3 -', 'B alpaca 1 -', 'C - 0 -', 'D - 0 -']);
  assert.deepEqual(second.asked, [['A', 'C', 'D']]);
});

test('who cannot be asked for many is asked for each', async () => {
  let asked = 0;
  const single = memoryProvider({ id: 'massive', rows: BARS, asked: () => asked++ });
  assert.deepEqual(say(await read(marketOf([single]), ['A', 'B'])), ['A massive 3 -', 'B massive 3 -']);
  assert.equal(asked, 2);
});

test('a symbol that nobody knows is no failure; a provider that fails is named, and another may serve', async () => {
  const unknown = memoryProvider({ rows: [], fails: () => new ProviderError('alpaca', 'UNKNOWN_SYMBOL') });
  assert.deepEqual(say(await read(marketOf([unknown]), ['A'])), ['A - 0 -']);
  const down = bulkProvider({ A: BARS });
  down.fault = 'UNAVAILABLE';
  const other = bulkProvider({ B: BARS }, 'massive');
  const reads = await read(marketOf([down, other]), ['A', 'B']);
  assert.deepEqual(say(reads), ['A - 0 UNAVAILABLE', 'B massive 3 UNAVAILABLE']);
});

test('a provider that fails again and again is not asked for thousands of symbols', async () => {
  let asked = 0;
  const down = memoryProvider({ rows: [], asked: () => asked++, fails: () => new ProviderError('alpaca', 'TIMEOUT') });
  const symbols = Array.from({ length: 1_200 }, (_, i) => `S${i}`);
  const reads = await read(marketOf([down]), symbols);
  assert.equal(asked, 3);
  assert.ok(reads.length === 1_200 && reads.every(({ failure }) => failure?.fault === 'TIMEOUT'));
});

test('failures with answers between them are not given up on, and bugs are not taken for failures', async () => {
  let asked = 0;
  const restless = memoryProvider({
    rows: BARS,
    fails: () => (asked++ % 3 === 2 ? null : new ProviderError('alpaca', 'TRUNCATED')),
  });
  const reads = await read(
    marketOf([restless]),
    Array.from({ length: 30 }, (_, i) => `S${i}`),
  );
  assert.equal(reads.filter(({ bars }) => bars !== null).length, 10);
  const broken = memoryProvider({ rows: [], fails: () => new TypeError('a bug') });
  await assert.rejects(read(marketOf([broken]), ['A']), TypeError);
});

test('many symbols are asked for in as many parts as a provider takes', async () => {
  const symbols = Array.from({ length: 620 }, (_, i) => `S${i}`);
  const provider = bulkProvider(Object.fromEntries(symbols.map((symbol) => [symbol, BARS])));
  const reads = await read(marketOf([provider]), symbols);
  assert.deepEqual(
    provider.asked.map(({ length }) => length),
    [100, 100, 100, 100, 100, 100, 20],
  );
  assert.ok(reads.every(({ bars }) => bars?.timestamps.length === 3));
});

test('currencies are no part of it, nor what a denied licence covers', async () => {
  const currencies = { ...bulkProvider({ EURUSD: BARS }, 'dukascopy'), kind: 'plain' as const };
  const denied: MarketProvider = {
    ...bulkProvider({ A: BARS }),
    describe: async (symbol) => (symbol === 'A' ? ({ license: { name: 'Closed' } } as never) : null),
  };
  const market = marketOf([currencies, denied], licensesWithout(['closed']));
  assert.deepEqual(say(await read(market, ['A', 'EURUSD'])), ['A - 0 -', 'EURUSD - 0 -']);
  assert.deepEqual((await listEverySymbol(market)).symbols, ['A']);
});

test('every symbol is that of all who can tell; who cannot is named', async () => {
  const [one, other] = [bulkProvider({ B: [], A: [] }), bulkProvider({ C: [], B: [] }, 'massive')];
  const market = marketOf([one, other]);
  assert.deepEqual(await listEverySymbol(market), { symbols: ['A', 'B', 'C'], isComplete: true, failures: [] });
  const silent = marketOf([one, memoryProvider({ id: 'bundled', rows: [] })]);
  assert.deepEqual(await listEverySymbol(silent), { symbols: ['A', 'B'], isComplete: false, failures: [] });
  other.fault = 'TIMEOUT';
  const { symbols, isComplete, failures } = await listEverySymbol(market);
  assert.equal(isComplete, false);
  assert.deepEqual([symbols, failures.map(({ provider }) => provider)], [['A', 'B'], ['massive']]);
});
