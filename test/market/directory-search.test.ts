import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { buildApi, createFoundation, createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { createListingChoice } from '../../src/compose/providers.ts';
import {
  createDirectory,
  createDukascopyProvider,
  type ListedInstrument,
  type MarketProvider,
} from '../../src/market/index.ts';
import { createLog, type Database } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { tinyCheckpoints } from '../support/compute/tiny-checkpoints.ts';
import { withGuest } from '../support/identity/callers.ts';
import { startDukascopyServer } from '../support/market/dukascopy-server.ts';
import { startListingServer } from '../support/market/listing-server.ts';
import { listedStock } from '../support/market/stocks.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

const stock = (symbol: string, name: string, more: Partial<ListedInstrument> = {}): ListedInstrument => ({
  ...listedStock(symbol),
  name,
  exchange: 'NYSE',
  ...more,
});
const STOCKS: readonly ListedInstrument[] = [
  stock('TSLA', 'Tesla, Inc. Common Stock'),
  stock('TSLQ', 'Tradr 2X Short TSLA Daily ETF'),
  stock('TSX', 'Tesla Exploration Ltd', { status: 'delisted' }),
  stock('BRK.A', 'Berkshire Hathaway Inc. Class A'),
  stock('BRK.B', 'Berkshire Hathaway Inc. Class B', { aliases: ['BRK-B'] }),
  stock('GFI', 'Gold Fields Limited'),
  stock('GLD', 'SPDR Gold Shares'),
  stock('IBIT', 'iShares Bitcoin Trust ETF'),
  stock('EUO', 'ProShares UltraShort Euro'),
];

/** Opens the API as a process of its own would, and returns its search. */
async function openSearch(database: Database, providers: readonly MarketProvider[], clock: { now(): Date }) {
  const config = loadTestConfig({ NODE_ENV: 'test' });
  const log = createLog('silent');
  const foundation = createFoundation({ config, log, database, clock, checkpoints: tinyCheckpoints() });
  const app = await buildApi(foundation, { siteUrl: () => SITE_URL, providers });
  await app.ready();
  const headers = await withGuest(createIdentityContext(foundation));
  const search = async (query: string) => {
    const payload = { query, types: ['market'] };
    const response = await app.inject({ method: 'POST', url: '/api/v1/market-search', headers, payload });
    assert.equal(response.statusCode, 200, response.body);
    return response.json().results as { source: { symbol: string }; span: unknown; status?: string }[];
  };
  return { search, close: () => app.close() };
}

forEachDatabase(
  'every process finds the instruments of a refreshed listing without a restart',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    let now = Date.parse('2026-03-02T10:00:00Z');
    const clock = { now: () => new Date(now) };
    await using stocks = await startListingServer(STOCKS);
    await using pairs = await startDukascopyServer({
      histories: [],
      clock: () => now,
      listing: [
        { code: 'EUR-USD' },
        { code: 'XAU-USD', group: 'FX_METALS' },
        { code: 'XAU-EUR', group: 'FX_METALS', description: 'Gold vs Euro' },
        { code: 'BTC-USD', group: 'VCCY' },
        { code: 'BTC-EUR', group: 'VCCY' },
        { code: 'USD-THB', description: 'US Dollar vs Thai Baht' },
        { code: 'EUR-GBP' },
      ],
    });
    const dukascopy = createDukascopyProvider({ url: pairs.url, requestsPerMinute: 600, clock });
    const providers = [stocks.provider, dukascopy];
    const processes = await Promise.all([1, 2].map(() => openSearch(database, providers, clock)));
    for (const { close } of processes) fixture.cleanup(close);
    const [first] = processes;
    assert.ok(first);
    const symbols = async (query: string, { search } = first) =>
      (await search(query)).map(({ source }) => source.symbol);

    assert.equal((await symbols('gold'))[0], 'XAUUSD', 'from the bundled table');
    assert.deepEqual(await symbols('baht'), []);
    assert.equal((await symbols('tesla')).includes('TSLA'), false);
    assert.equal(pairs.requests.length, 0);
    await symbols('tesla', processes[1]);

    const worker = createDirectory({ database, clock, log: createLog('silent'), providers });
    assert.equal(await worker.refresh('alpaca'), 'refreshed');
    assert.equal(await worker.refresh('dukascopy'), 'refreshed');
    now += 5_000;
    for (const process of processes) {
      while ((await symbols('baht', process))[0] !== 'USDTHB') await setImmediate();
      for (const [query, symbol] of [
        ['tesla', 'TSLA'],
        ['tsla', 'TSLA'],
        ['eur usd', 'EURUSD'],
        ['EUR/USD', 'EURUSD'],
        ['eur-usd', 'EURUSD'],
        ['eurusd', 'EURUSD'],
        ['gold', 'XAUUSD'],
        ['bitcoin', 'BTCUSD'],
        ['btc', 'BTCUSD'],
        ['BRK-B', 'BRK.B'],
        ['brk.b', 'BRK.B'],
        ['BRK/B', 'BRK.B'],
      ] as const) {
        assert.equal((await symbols(query, process))[0], symbol, query);
      }
    }
    const [tesla, ...others] = await first.search('tesla');
    assert.deepEqual(tesla, {
      source: { type: 'market', symbol: 'TSLA', timeframe: '1D' },
      title: 'Tesla, Inc. Common Stock',
      provider: 'alpaca',
      frequency: '1D',
      span: null,
      units: 'USD',
      status: 'active',
    });
    assert.deepEqual(
      others.map(({ source, status }) => [source.symbol, status]),
      [
        ['TSX', 'delisted'],
        // By a typing error: TSLA is in its title.
        ['TSLQ', 'active'],
      ],
    );
    const [bundled] = await first.search('apple');
    assert.equal(bundled?.status, undefined);
    assert.notEqual(bundled?.span, null);
  },
);

forEachDatabase(
  'the listing of Dukascopy is wanted once it has served bars',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const isListingWanted = createListingChoice(database);
    const stocks = { id: 'alpaca', serves: 'stocks' } as MarketProvider;
    const pairs = { id: 'dukascopy', serves: 'currencies' } as MarketProvider;
    assert.deepEqual(await Promise.all([stocks, pairs].map(isListingWanted)), [true, false]);
    await sql`
    INSERT INTO bar_series (provider, symbol, frequency, adjustment, side, version, coverage, used_at, bytes)
    VALUES ('dukascopy', 'EURUSD', '1D', 'raw', 'bid', 1, '{}', now(), 0)
  `.execute(database.query());
    assert.deepEqual(await Promise.all([stocks, pairs].map(isListingWanted)), [true, true]);
  },
);
