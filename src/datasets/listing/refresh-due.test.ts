import assert from 'node:assert/strict';
import { createListingAdapter, listedEntry } from '../../../test/support/datasets/listing-adapter.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import { createLog, malformed, openQueue, outboundMigrations } from '../../platform/index.ts';
import { datasetMigrations } from '../migrations/index.ts';
import { createEconomicListing } from './economic-listing.ts';
import { ECONOMIC_LISTINGS_QUEUE, refreshEconomicListings, startEconomicListings } from './refresh-due.ts';

const OPTIONS = { migrations: [outboundMigrations, datasetMigrations], queue: true };

forEachDatabase('refreshes each listing once a day, whatever happens to others', OPTIONS, async ({ database }) => {
  let now = Date.UTC(2026, 2, 2, 10);
  const clock = { now: () => new Date(now) };
  const log = createLog('silent');
  const broken = createListingAdapter([], {
    // biome-ignore lint/correctness/useYield: it fails first
    async *readListing() {
      throw malformed('dbnomics', 'a page');
    },
  });
  const good = createListingAdapter([listedEntry('A')], { id: 'worldbank' });
  const adapters = [broken, good];
  const whole = createEconomicListing({ database, clock, log, adapters });
  const refreshed: string[] = [];
  const refresh = (id: string) => {
    refreshed.push(id);
    return whole.refresh(id);
  };
  const context = { database, clock, log, adapters, listing: { ...whole, refresh } };
  const refreshedAfter = async (milliseconds: number) => {
    now += milliseconds;
    await refreshEconomicListings(context);
    return refreshed.splice(0);
  };
  assert.deepEqual(await refreshedAfter(0), ['dbnomics', 'worldbank']);
  assert.deepEqual(await refreshedAfter(10 * MINUTE_MS), ['dbnomics']);
  assert.deepEqual(await refreshedAfter(9 * MINUTE_MS), []);
  assert.deepEqual(await refreshedAfter(24 * HOUR_MS - 20 * MINUTE_MS), ['dbnomics']);
  assert.deepEqual(await refreshedAfter(MINUTE_MS), ['worldbank']);
  assert.equal(await whole.version(), 'worldbank 1');
});

forEachDatabase('the queue reads listings that were never read soon after the start', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const clock = { now: () => new Date() };
  const log = createLog('silent');
  const adapters = [createListingAdapter([listedEntry('A')])];
  const listing = createEconomicListing({ database, clock, log, adapters });
  const queue = await openQueue(database, { queues: [ECONOMIC_LISTINGS_QUEUE], supervise: true, log });
  fixture.cleanup(() => queue.stop());
  await startEconomicListings({ database, clock, log, adapters, listing }, queue);
  while ((await listing.version()) === '') await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await listing.list()).length, 1);
});
