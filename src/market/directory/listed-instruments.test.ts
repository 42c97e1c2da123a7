import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { startListingServer } from '../../../test/support/market/listing-server.ts';
import { listedStock } from '../../../test/support/market/stocks.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { createLog, outboundMigrations } from '../../platform/index.ts';
import { marketMigrations } from '../migrations/index.ts';
import { createDirectory } from './directory.ts';
import { createListedInstruments } from './listed-instruments.ts';

const OPTIONS = { migrations: [outboundMigrations, marketMigrations] };

forEachDatabase('keeps the listing of a provider in memory, and follows its changes', OPTIONS, async ({ database }) => {
  await using server = await startListingServer([listedStock('EURUSD')], { id: 'dukascopy' });
  const log = createLog('silent');
  let now = 0;
  const clock = { now: () => new Date(now) };
  const directory = createDirectory({ database, clock, log, providers: [server.provider] });
  const listed = createListedInstruments({ database, clock, log }, 'dukascopy');
  await listed.load();
  assert.equal(listed.read(), null);
  await directory.refresh('dukascopy');
  await listed.load();
  assert.deepEqual(listed.read(), new Map([['EURUSD', listedStock('EURUSD')]]));

  server.instruments.push(listedStock('GBPUSD'));
  await directory.refresh('dukascopy');
  assert.equal(listed.read()?.size, 1, 'not compared again within five seconds');
  now += 5_000;
  while (listed.read()?.size === 1) await setTimeout(1);
  assert.deepEqual([...(listed.read() ?? new Map()).keys()], ['EURUSD', 'GBPUSD']);

  const ofAnotherProcess = createListedInstruments({ database, clock, log }, 'dukascopy');
  await ofAnotherProcess.prepare();
  assert.equal(ofAnotherProcess.read()?.size, 2, 'the first request after a start waits for the listing');
});
