import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkProvider } from '../../test/support/market/bulk-provider.ts';
import { memoryProvider } from '../../test/support/market/memory-provider.ts';
import { HOUR_MS, MINUTE_MS } from '../calendar/index.ts';
import { createLog } from '../platform/index.ts';
import { createMarket } from './context.ts';
import type { MarketProvider } from './providers/provider.ts';
import { createSymbolListing } from './symbol-listing.ts';

function openListing(providers: readonly MarketProvider[], callerWaitMs = MINUTE_MS) {
  let now = 0;
  // Providers without a budget do not use the database.
  const market = createMarket({ providers } as unknown as Parameters<typeof createMarket>[0]);
  const options = { clock: { now: () => new Date(now) }, log: createLog('silent'), callerWaitMs };
  const { findUnknown } = createSymbolListing(market, options);
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { findUnknown, wait };
}

/** Waits until a list that is being read in the background has arrived. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('returns the symbols that no provider lists, in their order', async () => {
  const named = { ...bulkProvider({ '^GSPC': [] }, 'massive'), canonicalSymbol: (symbol: string) => `^${symbol}` };
  const { findUnknown } = openListing([bulkProvider({ A: [], B: [] }), named]);
  assert.deepEqual(await findUnknown(['X', 'A', 'GSPC', 'W', 'B']), ['X', 'W']);
  assert.deepEqual(await findUnknown([]), []);
});

test('returns null while the list of a provider is missing, and reads it again after a minute', async () => {
  const [one, other] = [bulkProvider({ A: [] }), bulkProvider({ B: [] }, 'massive')];
  const { findUnknown, wait } = openListing([one, other]);
  other.fault = 'TIMEOUT';
  assert.equal(await findUnknown(['A', 'X']), null);
  other.fault = null;
  assert.equal(await findUnknown(['A', 'X']), null, 'not read again immediately');
  wait(MINUTE_MS);
  await findUnknown([]);
  await settle();
  assert.deepEqual(await findUnknown(['A', 'B', 'X']), ['X']);
});

test('returns null if a provider cannot list its symbols, or if no provider lists any', async () => {
  const silent = memoryProvider({ id: 'bundled', rows: [] });
  assert.equal(await openListing([bulkProvider({ A: [] }), silent]).findUnknown(['X']), null);
  assert.equal(await openListing([bulkProvider({})]).findUnknown(['X']), null);
  const currencies = { ...bulkProvider({ EURUSD: [] }, 'dukascopy'), serves: 'currencies' as const };
  assert.deepEqual(await openListing([bulkProvider({ A: [] }), currencies]).findUnknown(['A', 'EURUSD']), ['EURUSD']);
});

test('reads the lists once an hour, and uses the earlier list until the next one arrives', async () => {
  const provider = bulkProvider({ A: [] });
  const { findUnknown, wait } = openListing([provider]);
  assert.deepEqual(await Promise.all([findUnknown(['A', 'N']), findUnknown(['N'])]), [['N'], ['N']]);
  provider.bars.set('N', []);
  wait(HOUR_MS - 1);
  assert.deepEqual(await findUnknown(['N']), ['N']);
  wait(1);
  assert.deepEqual(await findUnknown(['N']), ['N']);
  await settle();
  assert.deepEqual(await findUnknown(['N']), []);
});

test('does not wait long for a slow list', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const provider = bulkProvider({});
  const slow = { ...provider, bulk: { ...provider.bulk, listSymbols: () => promise } };
  const { findUnknown } = openListing([slow], 1);
  assert.equal(await findUnknown(['A', 'X']), null);
  resolve(['A']);
  assert.deepEqual(await findUnknown(['A', 'X']), ['X']);
});

test('an unexpected error is not an empty list', async () => {
  const provider = bulkProvider({ A: [] });
  const listSymbols = () => Promise.reject(new TypeError('broken'));
  const broken = { ...provider, bulk: { ...provider.bulk, listSymbols } };
  assert.equal(await openListing([broken]).findUnknown(['X']), null);
});
