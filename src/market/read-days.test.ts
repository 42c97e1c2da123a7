import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsEndingAt, bulkProvider } from '../../test/support/market/bulk-provider.ts';
import { memoryProvider } from '../../test/support/market/memory-provider.ts';
import { ALL_LICENSES, licensesWithout } from '../access/index.ts';
import { ProviderError } from '../platform/index.ts';
import { createMarket, type MarketContext } from './context.ts';
import { listAllSymbols } from './list-symbols.ts';
import type { MarketProvider } from './providers/provider.ts';
import { readDays } from './read-days.ts';
import type { SymbolDays } from './symbol-days.ts';

const SESSION = '2024-03-28';
const BARS = barsEndingAt(SESSION, [10, 11, 12]);

function marketOf(providers: readonly MarketProvider[], licenses = ALL_LICENSES): MarketContext {
  // Providers without a budget do not use the database.
  return createMarket({ providers, licenses } as unknown as Parameters<typeof createMarket>[0]);
}

async function read(market: MarketContext, symbols: readonly string[]): Promise<SymbolDays[]> {
  const start = Date.UTC(2024, 2, 1);
  const all: SymbolDays[] = [];
  const request = { symbols, start, end: Date.UTC(2024, 2, 29), at: Date.UTC(2024, 3, 2) };
  for await (const some of readDays(market, request)) all.push(...some);
  return all;
}

const summarize = (reads: readonly SymbolDays[]) =>
  reads.map(({ symbol, provider, bars, failure }) =>
    [symbol, provider ?? '-', bars?.timestamps.length ?? 0, failure?.fault ?? '-'].join(' '),
  );

test('reads each symbol from the first provider that has it, in the requested order', async () => {
  const first = bulkProvider({ B: BARS.slice(0, 1) });
  const second = bulkProvider({ A: BARS, B: BARS, C: [] }, 'massive');
  const reads = await read(marketOf([first, second]), ['A', 'B', 'C', 'D']);
  assert.deepEqual(summarize(reads), ['A massive 3 -', 'B alpaca 1 -', 'C - 0 -', 'D - 0 -']);
  assert.deepEqual(second.queries, [['A', 'C', 'D']]);
});

test('requests no symbol from a provider whose listing leaves it out, or that cannot have it', async () => {
  const first = bulkProvider({ A: BARS });
  const others = bulkProvider({ B: BARS }, 'massive');
  const second = { ...others, canonicalSymbol: (symbol: string) => (symbol.startsWith('^') ? null : symbol) };
  const find = async (provider: string, symbol: string) =>
    provider === 'alpaca' && symbol !== 'A' ? ('absent' as const) : ('unread' as const);
  const market = { ...marketOf([first, second]), directory: { find } } as unknown as MarketContext;
  assert.deepEqual(summarize(await read(market, ['A', 'B', '^C'])), ['A alpaca 3 -', 'B massive 3 -', '^C - 0 -']);
  assert.deepEqual([first.queries, others.queries], [[['A']], [['B']]]);
});

test('sends one query per symbol to a provider without bulk queries', async () => {
  let requests = 0;
  const single = memoryProvider({ id: 'massive', rows: BARS, onRequest: () => requests++ });
  assert.deepEqual(summarize(await read(marketOf([single]), ['A', 'B'])), ['A massive 3 -', 'B massive 3 -']);
  assert.equal(requests, 2);
});

test('names a provider that fails, but does not count an unknown symbol as a failure', async () => {
  const unknown = memoryProvider({ rows: [], fails: () => new ProviderError('alpaca', 'NOT_FOUND') });
  assert.deepEqual(summarize(await read(marketOf([unknown]), ['A'])), ['A - 0 -']);
  const down = bulkProvider({ A: BARS });
  down.fault = 'UNAVAILABLE';
  const other = bulkProvider({ B: BARS }, 'massive');
  const reads = await read(marketOf([down, other]), ['A', 'B']);
  assert.deepEqual(summarize(reads), ['A - 0 UNAVAILABLE', 'B massive 3 UNAVAILABLE']);
});

test('stops requests to a provider that keeps failing', async () => {
  let requests = 0;
  const down = memoryProvider({
    rows: [],
    onRequest: () => requests++,
    fails: () => new ProviderError('alpaca', 'TIMEOUT'),
  });
  const symbols = Array.from({ length: 1_200 }, (_, i) => `S${i}`);
  const reads = await read(marketOf([down]), symbols);
  assert.equal(requests, 3);
  assert.ok(reads.length === 1_200 && reads.every(({ failure }) => failure?.fault === 'TIMEOUT'));
});

test('continues after failures with successes between them, and passes on other errors', async () => {
  let requests = 0;
  const flaky = memoryProvider({
    rows: BARS,
    fails: () => (requests++ % 3 === 2 ? null : new ProviderError('alpaca', 'TRUNCATED')),
  });
  const reads = await read(
    marketOf([flaky]),
    Array.from({ length: 30 }, (_, i) => `S${i}`),
  );
  assert.equal(reads.filter(({ bars }) => bars !== null).length, 10);
  const broken = memoryProvider({ rows: [], fails: () => new TypeError('a bug') });
  await assert.rejects(read(marketOf([broken]), ['A']), TypeError);
});

test('splits many symbols into queries of the size that a provider accepts', async () => {
  const symbols = Array.from({ length: 620 }, (_, i) => `S${i}`);
  const provider = bulkProvider(Object.fromEntries(symbols.map((symbol) => [symbol, BARS])));
  const reads = await read(marketOf([provider]), symbols);
  assert.deepEqual(
    provider.queries.map(({ length }) => length),
    [100, 100, 100, 100, 100, 100, 20],
  );
  assert.ok(reads.every(({ bars }) => bars?.timestamps.length === 3));
});

test('excludes currencies and symbols under a denied license', async () => {
  const currencies = { ...bulkProvider({ EURUSD: BARS }, 'dukascopy'), serves: 'currencies' as const };
  const denied: MarketProvider = {
    ...bulkProvider({ A: BARS }),
    license: { name: 'Closed', url: '' },
  };
  const market = marketOf([currencies, denied], licensesWithout(['closed']));
  assert.deepEqual(summarize(await read(market, ['A', 'EURUSD'])), ['A - 0 -', 'EURUSD - 0 -']);
  assert.deepEqual((await listAllSymbols(market)).symbols, ['A']);
});

test('lists the symbols of every provider that can list them, and names providers that failed', async () => {
  const [one, other] = [bulkProvider({ B: [], A: [] }), bulkProvider({ C: [], B: [] }, 'massive')];
  const market = marketOf([one, other]);
  assert.deepEqual(await listAllSymbols(market), { symbols: ['A', 'B', 'C'], isComplete: true, failures: [] });
  const silent = marketOf([one, memoryProvider({ id: 'bundled', rows: [] })]);
  assert.deepEqual(await listAllSymbols(silent), { symbols: ['A', 'B'], isComplete: false, failures: [] });
  other.fault = 'TIMEOUT';
  const { symbols, isComplete, failures } = await listAllSymbols(market);
  assert.equal(isComplete, false);
  assert.deepEqual([symbols, failures.map(({ provider }) => provider)], [['A', 'B'], ['massive']]);
});
