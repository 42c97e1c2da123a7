import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { createSeriesSearch } from '../../src/datasets/index.ts';
import type { Random } from '../../src/engine/numerics/random.ts';
import { createDirectory, type ListedInstrument, type MarketProvider } from '../../src/market/index.ts';
import { createLog, migrate, openDatabase, systemClock } from '../../src/platform/index.ts';
import { companyName, distinctSymbols, pick } from './entries.ts';
import { type Hold, measureHold } from './hold.ts';
import { EXCHANGES } from './names.ts';

const PROVIDERS = ['alpaca', 'massive', 'dukascopy'];

/**
 * Measures how long refreshing listings holds the event loop: on PGlite, which runs in the same thread, and with batches
 * from memory, because the adapters parse the replies.
 *
 * @param count the number of instruments of all providers together
 */
export async function benchDirectory(random: Random, count: number): Promise<ReadonlyMap<string, Hold>> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
  const database = await openDatabase({ folder });
  try {
    await migrate(database, MIGRATIONS);
    const listings = splitListing(generateListing(random, count));
    const providers = PROVIDERS.map((id, i) => providerOf(id, listings[i] ?? []));
    const log = createLog('silent');
    const directory = createDirectory({ database, clock: systemClock, log, providers });
    let time = 0;
    const market = { type: 'market' as const, list: directory.list, listVersion: directory.version };
    const search = createSeriesSearch([market], log, { now: () => time });
    const find = (query: string) => search.search({ query, limit: 20, offset: 0 });
    await find('');
    const refreshAll = async () => {
      for (const id of PROVIDERS) await directory.refresh(id);
    };
    /** Searches until the last entry of the first listing is found in its current form. */
    const reindex = async () => {
      time += 60_000;
      const last = listings[0]?.at(-1);
      while ((await find(last?.symbol ?? '')).results[0]?.title !== last?.name) await setTimeout(20);
    };
    const holds = new Map<string, Hold>();
    holds.set('first refresh', await measureHold(refreshAll));
    holds.set('first index', await measureHold(reindex));
    holds.set('unchanged refresh', await measureHold(refreshAll));
    for (const listing of listings) changeListing(listing);
    holds.set('refresh, 300 changes', await measureHold(refreshAll));
    holds.set('index again', await measureHold(reindex));
    return holds;
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

function splitListing(listing: readonly ListedInstrument[]): ListedInstrument[][] {
  const size = Math.ceil(listing.length / PROVIDERS.length);
  return PROVIDERS.map((_, i) => listing.slice(i * size, (i + 1) * size));
}

function generateListing(random: Random, count: number): ListedInstrument[] {
  return distinctSymbols(random, count).map((symbol, i) => ({
    symbol,
    name: `${companyName(random)} Common Stock`,
    aliases: [],
    exchange: pick(random, EXCHANGES),
    class: 'stock',
    units: 'USD',
    status: i % 3 === 0 ? 'delisted' : 'active',
  }));
}

/** Changes 100 entries, the last one among them. */
function changeListing(listing: ListedInstrument[]): void {
  const step = Math.ceil(listing.length / 100);
  for (let i = listing.length - 1; i >= 0; i -= step) {
    const entry = listing[i] as ListedInstrument;
    listing[i] = { ...entry, name: `New ${entry.name}` };
  }
}

function providerOf(id: string, listing: readonly ListedInstrument[]): MarketProvider {
  return {
    id,
    requestsPerMinute: 200,
    serves: 'stocks',
    frequencies: ['1D'],
    adjustments: ['split'],
    sides: ['trade'],
    sessions: ['regular'],
    license: { name: 'none', url: 'https://example.com' },
    earliest: null,
    delayMinutes: 0,
    canonicalSymbol: (symbol) => symbol,
    kindOf: () => 'exchange',
    fetchPage: () => Promise.reject(new Error('The bench reads no bars.')),
    async *readListing() {
      for (let from = 0; from < listing.length; from += 2_000) yield listing.slice(from, from + 2_000);
    },
  };
}
