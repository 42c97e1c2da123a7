import assert from 'node:assert/strict';
import { startListingServer } from '../../../test/support/market/listing-server.ts';
import { sendJson } from '../../../test/support/market/loopback-provider.ts';
import { listedStock } from '../../../test/support/market/stocks.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import { createLog, openQueue, outboundMigrations } from '../../platform/index.ts';
import { marketMigrations } from '../migrations/index.ts';
import { createDirectory } from './directory.ts';
import { LISTINGS_QUEUE, type ListingsContext, refreshDueListings, startListingRefreshes } from './refresh-due.ts';

const OPTIONS = { migrations: [outboundMigrations, marketMigrations] };
const DAY_MS = 24 * HOUR_MS;

forEachDatabase('refreshes a listing once a day, and a failed one sooner', OPTIONS, async ({ database }) => {
  await using server = await startListingServer([listedStock('A')]);
  let now = Date.UTC(2026, 2, 2, 10);
  const clock = { now: () => new Date(now) };
  const log = createLog('silent');
  const providers = [server.provider];
  const directory = createDirectory({ database, clock, log, providers });
  const context: ListingsContext = { database, clock, log, providers, directory, isListingWanted: async () => true };
  const refused = sendJson({ message: 'no' }, 403);
  /** Returns whether the listing was requested after the given time. */
  const isRefreshedAfter = async (milliseconds: number) => {
    now += milliseconds;
    const before = server.requests;
    await refreshDueListings(context);
    return server.requests > before;
  };
  server.script.push(refused);
  assert.equal(await isRefreshedAfter(0), true);
  assert.equal(await isRefreshedAfter(9 * MINUTE_MS), false);
  assert.equal(await isRefreshedAfter(MINUTE_MS), true, 'a listing that was never read is tried again soon');
  assert.equal(await isRefreshedAfter(DAY_MS - 1), false);
  server.script.push(refused);
  assert.equal(await isRefreshedAfter(1), true);
  assert.equal(await isRefreshedAfter(59 * MINUTE_MS), false);
  assert.equal(await isRefreshedAfter(MINUTE_MS), true);
  assert.equal(await isRefreshedAfter(HOUR_MS), false);
});

forEachDatabase('the failure of one provider does not affect another', OPTIONS, async ({ database }) => {
  await using good = await startListingServer([listedStock('A')], { id: 'massive' });
  const log = createLog('silent');
  const clock = { now: () => new Date() };
  const broken = { ...good.provider, id: 'alpaca' };
  const providers = [broken, good.provider];
  const whole = createDirectory({ database, clock, log, providers });
  const directory = {
    ...whole,
    refresh: (id: string) => (id === 'alpaca' ? Promise.reject(new Error('no database')) : whole.refresh(id)),
  };
  await refreshDueListings({ database, clock, log, providers, directory, isListingWanted: async () => true });
  assert.deepEqual(await whole.listSymbols('massive'), ['A']);
});

forEachDatabase(
  'the queue reads listings that were never read soon after the start',
  { ...OPTIONS, queue: true },
  async (fixture) => {
    const { database } = fixture;
    await using stocks = await startListingServer([listedStock('A')]);
    await using pairs = await startListingServer([listedStock('EURUSD')], { id: 'dukascopy', serves: 'currencies' });
    const log = createLog('silent');
    const clock = { now: () => new Date() };
    const providers = [pairs.provider, stocks.provider];
    const directory = createDirectory({ database, clock, log, providers });
    const queue = await openQueue(database, { queues: [LISTINGS_QUEUE], supervise: true, log });
    fixture.cleanup(() => queue.stop());
    const isListingWanted: ListingsContext['isListingWanted'] = async ({ serves }) => serves === 'stocks';
    await startListingRefreshes({ database, clock, log, providers, directory, isListingWanted }, queue);
    while ((await directory.listSymbols('alpaca')) === null) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await directory.listSymbols('alpaca'), ['A']);
    assert.equal(pairs.requests, 0, 'it has served no bars');
  },
);
