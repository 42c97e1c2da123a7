import assert from 'node:assert/strict';
import { startListingServer } from '../../test/support/market/listing-server.ts';
import { listedStock } from '../../test/support/market/stocks.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { createLog, outboundMigrations } from '../platform/index.ts';
import { createDirectory } from './directory/directory.ts';
import { listAllSymbols } from './list-symbols.ts';
import { marketMigrations } from './migrations/index.ts';
import { createBundledProvider } from './providers/bundled/bundled-provider.ts';
import { createSymbolListing } from './symbol-listing.ts';

const OPTIONS = { migrations: [outboundMigrations, marketMigrations] };

forEachDatabase('lists the active symbols of the directory, and sends no request', OPTIONS, async ({ database }) => {
  const delisted = { ...listedStock('OLD'), status: 'delisted' } as const;
  await using one = await startListingServer([listedStock('B'), listedStock('A'), delisted]);
  await using two = await startListingServer([listedStock('C'), listedStock('B')], { id: 'massive' });
  await using pairs = await startListingServer([listedStock('EURUSD')], { id: 'dukascopy', serves: 'currencies' });
  const log = createLog('silent');
  const clock = { now: () => new Date() };
  const providers = [one.provider, two.provider, pairs.provider];
  const directory = createDirectory({ database, clock, log, providers });
  const market = { database, directory, providers };
  assert.deepEqual(await listAllSymbols(market), { symbols: [], isComplete: false, failures: [] });
  await directory.refresh('alpaca');
  assert.deepEqual(await listAllSymbols(market), { symbols: ['A', 'B'], isComplete: false, failures: [] });
  assert.equal(await createSymbolListing(market, { clock, log }).findUnknown(['X']), null);
  await directory.refresh('massive');
  const requests = one.requests + two.requests;
  assert.deepEqual(await listAllSymbols(market), { symbols: ['A', 'B', 'C'], isComplete: true, failures: [] });
  assert.deepEqual(await createSymbolListing(market, { clock, log }).findUnknown(['C', 'X', 'OLD']), ['X', 'OLD']);
  assert.equal(one.requests + two.requests, requests);
  const withBundle = await listAllSymbols({ ...market, providers: [...providers, createBundledProvider()] });
  assert.deepEqual(withBundle.symbols, ['A', 'AAPL', 'B', 'C', '^GSPC']);
  assert.equal((await listAllSymbols({ database, providers })).isComplete, false, 'without a directory');
});
