import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ListingServer, startListingServer } from '../../../test/support/market/listing-server.ts';
import { sendJson } from '../../../test/support/market/loopback-provider.ts';
import { listedStock } from '../../../test/support/market/stocks.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { type Clock, openDatabase, outboundMigrations } from '../../platform/index.ts';
import { reportProviders } from '../list-providers.ts';
import { marketMigrations } from '../migrations/index.ts';
import type { ListedInstrument } from '../providers/provider.ts';
import { createDirectory, type DirectoryOptions } from './directory.ts';

const OPTIONS = { migrations: [outboundMigrations, marketMigrations] };
const TSLA: ListedInstrument = { ...listedStock('TSLA'), name: 'Tesla, Inc. Common Stock', exchange: 'NASDAQ' };
const ENRN: ListedInstrument = { ...listedStock('ENRN'), name: 'Enron Corp.', status: 'delisted' };
const BRK: ListedInstrument = { ...listedStock('BRK.B'), name: 'Berkshire Hathaway Inc.', aliases: ['BRK-B'] };
const EURUSD: ListedInstrument = {
  symbol: 'EURUSD',
  name: 'Euro / US dollar',
  aliases: ['EUR-USD', 'EUR/USD'],
  exchange: null,
  class: 'pair',
  units: 'USD',
  status: 'active',
};

function recordingLog() {
  const lines: { readonly level: string; readonly details: object }[] = [];
  const at = (level: string) => (details: object) => void lines.push({ level, details });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

function steppedClock(start = '2026-03-02T10:00:00Z'): Clock & { wait(milliseconds: number): void } {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    wait: (milliseconds) => {
      now += milliseconds;
    },
  };
}

function open(
  { database }: Pick<TestDatabase, 'database'>,
  servers: readonly ListingServer[],
  more?: Partial<DirectoryOptions>,
) {
  const log = recordingLog();
  const clock = steppedClock();
  const providers = servers.map(({ provider }) => provider);
  return { log, clock, directory: createDirectory({ database, clock, log, providers, ...more }) };
}

forEachDatabase('knows nothing of a listing until it has been read completely', OPTIONS, async (fixture) => {
  await using server = await startListingServer([TSLA, ENRN, BRK], { pageSize: 2 });
  const { directory, clock } = open(fixture, [server]);
  assert.equal(await directory.find('alpaca', 'TSLA'), 'unread');
  assert.equal(await directory.listSymbols('alpaca'), null);
  assert.deepEqual(await directory.list(), []);
  const before = await directory.version();

  assert.equal(await directory.refresh('alpaca'), 'refreshed');
  assert.equal(server.requests, 2);
  assert.equal(await directory.find('alpaca', 'TSLA'), 'unread', 'an answer is used for a minute');
  clock.wait(60_000);
  assert.deepEqual(await directory.find('alpaca', 'TSLA'), TSLA);
  assert.deepEqual(await directory.find('alpaca', 'BRK.B'), BRK);
  assert.equal(await directory.find('alpaca', 'NOPE'), 'absent');
  assert.deepEqual(await directory.listSymbols('alpaca'), ['BRK.B', 'TSLA'], 'only active ones');
  assert.notEqual(await directory.version(), before);
  const state = (await directory.readStates()).get('alpaca');
  assert.deepEqual([state?.entries, state?.active, state?.last_error], [3, 2, null]);
  assert.equal(state?.refreshed_at?.toISOString(), '2026-03-02T10:00:00.000Z');
  const known = [{ provider: server.provider, isConfigured: true }];
  const [view] = await reportProviders({ ...fixture, clock }, known, { withStates: true });
  assert.deepEqual(view?.listing, { entries: 3, refreshed_at: '2026-03-02T10:00:00.000Z', error: null });
});

forEachDatabase('writes only the difference, and nothing for an unchanged listing', OPTIONS, async (fixture) => {
  await using server = await startListingServer([TSLA, ENRN, BRK]);
  const { directory, clock } = open(fixture, [server]);
  await directory.refresh('alpaca');
  const version = await directory.version();
  const rows = await readRowVersions(fixture);
  clock.wait(86_400_000);
  assert.equal(await directory.refresh('alpaca'), 'refreshed');
  assert.deepEqual(await readRowVersions(fixture), rows, 'no row was written');
  assert.equal(await directory.version(), version);
  assert.equal((await directory.readStates()).get('alpaca')?.refreshed_at?.toISOString(), '2026-03-03T10:00:00.000Z');

  const renamed = { ...BRK, aliases: ['BRK-B', 'BRKB'] };
  server.instruments = [{ ...TSLA, status: 'delisted' }, renamed, listedStock('NEW')];
  await directory.refresh('alpaca');
  assert.notEqual(await directory.version(), version);
  assert.deepEqual(await directory.find('alpaca', 'BRK.B'), renamed);
  assert.equal(await directory.find('alpaca', 'ENRN'), 'absent');
  assert.deepEqual(await directory.listSymbols('alpaca'), ['BRK.B', 'NEW']);
});

/** Returns the transaction that wrote each instrument. */
async function readRowVersions({ database }: Pick<TestDatabase, 'database'>): Promise<unknown> {
  return (await sql`SELECT symbol, xmin::text FROM market_instrument ORDER BY symbol`.execute(database.query())).rows;
}

for (const [kind, reply, fault] of [
  ['refused', sendJson({ message: 'forbidden' }, 403), null],
  ['malformed', sendJson({ page: 7 }), 'MALFORMED'],
] as const) {
  forEachDatabase(`keeps the earlier listing if the second page is ${kind}`, OPTIONS, async (fixture) => {
    await using server = await startListingServer([TSLA, BRK, ENRN], { pageSize: 2 });
    const { directory, log } = open(fixture, [server]);
    await directory.refresh('alpaca');
    const before = await directory.list();
    server.instruments = [BRK, listedStock('A'), listedStock('B'), listedStock('C')];
    server.script.push(null, reply);
    assert.equal(await directory.refresh('alpaca'), 'failed');
    assert.deepEqual(await directory.list(), before);
    const state = (await directory.readStates()).get('alpaca');
    assert.match(state?.last_error ?? '', fault === null ? /^[A-Z_]+$/ : new RegExp(`^${fault}$`));
    assert.equal(state?.entries, 3);
    assert.equal(log.lines.at(-1)?.level, 'warn');
    assert.equal(await directory.refresh('alpaca'), 'refreshed');
    assert.equal((await directory.readStates()).get('alpaca')?.last_error, null);
  });
}

forEachDatabase('refuses a listing with fewer than half of the entries before, or none', OPTIONS, async (fixture) => {
  const many = Array.from({ length: 10 }, (_, i) => listedStock(`S${i}`));
  await using server = await startListingServer([]);
  const { directory, log } = open(fixture, [server]);
  const errorAfter = async (instruments: readonly ListedInstrument[]) => {
    server.instruments = [...instruments];
    await directory.refresh('alpaca');
    return (await directory.readStates()).get('alpaca')?.last_error ?? null;
  };
  assert.equal(await errorAfter([]), 'TOO_SMALL');
  assert.equal(await directory.listSymbols('alpaca'), null);
  assert.equal(await errorAfter(many), null);
  assert.equal(await errorAfter(many.slice(0, 4)), 'TOO_SMALL');
  assert.equal(log.lines.at(-1)?.level, 'warn');
  const delisted = many.map((one, i) => (i < 4 ? one : { ...one, status: 'delisted' as const }));
  assert.equal(await errorAfter(delisted), 'TOO_SMALL', 'most instruments are not delisted in one day');
  assert.equal((await directory.listSymbols('alpaca'))?.length, 10);
  assert.equal(await errorAfter(many.slice(0, 5)), null);
  const old = Array.from({ length: 10 }, (_, i) => ({ ...listedStock(`OLD${i}`), status: 'delisted' as const }));
  assert.equal(await errorAfter([...many, ...old]), null);
  assert.equal(await errorAfter(many.slice(0, 9)), 'TOO_SMALL', 'the delisted ones are missing');
});

forEachDatabase('records an unexpected error without its text, and keeps the listing', OPTIONS, async (fixture) => {
  await using server = await startListingServer([TSLA]);
  const broken = {
    ...server.provider,
    async *readListing() {
      yield [TSLA];
      throw new TypeError('a bug');
    },
  };
  const { directory, log } = open(fixture, [{ ...server, provider: broken }]);
  assert.equal(await directory.refresh('alpaca'), 'failed');
  assert.equal((await directory.readStates()).get('alpaca')?.last_error, 'UNEXPECTED');
  assert.equal(log.lines.at(-1)?.level, 'error');
  assert.equal(await directory.listSymbols('alpaca'), null);
});

forEachDatabase(
  'keeps the active one of two instruments with one symbol, and drops unusable entries',
  OPTIONS,
  async (fixture) => {
    const old = { ...TSLA, name: 'Tesla Oil', status: 'delisted' } as const;
    const unusable = [
      listedStock(''),
      listedStock('A B'),
      listedStock('S'.repeat(33)),
      { ...TSLA, class: 'bond' as never },
    ];
    const strange = { ...listedStock('ODD'), name: ' A\u0000B\nC\ud800 ', aliases: ['', 'x\u0000', 'x\u0000'] };
    await using server = await startListingServer([old, TSLA, old, ...unusable, strange]);
    const { directory } = open(fixture, [server]);
    assert.equal(await directory.refresh('alpaca'), 'refreshed');
    assert.deepEqual(await directory.find('alpaca', 'TSLA'), TSLA);
    assert.deepEqual(await directory.listSymbols('alpaca'), ['ODD', 'TSLA']);
    const odd = (await directory.find('alpaca', 'ODD')) as ListedInstrument;
    assert.deepEqual([odd.name, odd.aliases], ['A B C\ufffd', ['x']]);
  },
);

forEachDatabase(
  'lists one entry per symbol, of the first provider that lists it as active',
  OPTIONS,
  async (fixture) => {
    await using first = await startListingServer([TSLA, { ...BRK, status: 'delisted' }, { ...TSLA, symbol: 'EURUSD' }]);
    await using second = await startListingServer([{ ...TSLA, name: 'Tesla' }, BRK, ENRN], { id: 'massive' });
    await using third = await startListingServer([EURUSD], { id: 'dukascopy', serves: 'currencies' });
    const { directory } = open(fixture, [first, second, third]);
    for (const id of ['alpaca', 'massive', 'dukascopy']) await directory.refresh(id);
    assert.deepEqual(await directory.listSymbols('massive'), ['BRK.B', 'TSLA']);
    const shown = (await directory.list()).map(({ source, title, provider, span, status }) => ({
      source,
      about: [title, provider, span, status],
    }));
    const market = (symbol: string) => ({ type: 'market', symbol, timeframe: '1D' });
    assert.deepEqual(shown, [
      { source: market('BRK.B'), about: [BRK.name, 'massive', null, 'active'] },
      { source: market('ENRN'), about: [ENRN.name, 'massive', null, 'delisted'] },
      { source: market('EURUSD'), about: [TSLA.name, 'alpaca', null, 'active'] },
      { source: { ...market('EURUSD'), provider: 'dukascopy' }, about: [EURUSD.name, 'dukascopy', null, 'active'] },
      { source: market('TSLA'), about: [TSLA.name, 'alpaca', null, 'active'] },
    ]);
  },
);

forEachDatabase(
  'uses the preset instruments of a provider until its listing has been read',
  OPTIONS,
  async (fixture) => {
    await using server = await startListingServer([{ ...EURUSD, symbol: 'GBPUSD' }], { id: 'dukascopy' });
    const { directory, clock } = open(fixture, [server], { presets: new Map([['dukascopy', [EURUSD]]]) });
    assert.deepEqual(await directory.find('dukascopy', 'EURUSD'), EURUSD);
    assert.equal(await directory.find('dukascopy', 'GBPUSD'), 'absent');
    const symbols = async () => (await directory.list()).map(({ source }) => source.type === 'market' && source.symbol);
    assert.deepEqual(await symbols(), ['EURUSD']);
    await directory.refresh('dukascopy');
    clock.wait(60_000);
    assert.equal(await directory.find('dukascopy', 'EURUSD'), 'absent');
    assert.deepEqual(await symbols(), ['GBPUSD']);
  },
);

forEachDatabase('concurrent refreshes leave one whole listing', OPTIONS, async (fixture) => {
  const listing = (letter: string, count: number) =>
    Array.from({ length: count }, (_, i) => listedStock(`${letter}${i}`));
  const other = fixture.database.kind === 'postgres' ? await openDatabase(fixture.location) : fixture.database;
  if (other !== fixture.database) fixture.cleanup(() => other.close());
  await using one = await startListingServer(listing('A', 700));
  await using two = await startListingServer(listing('A', 700));
  const here = open(fixture, [one]).directory;
  const there = open({ database: other }, [two]).directory;
  for (const letter of ['A', 'B', 'C']) {
    const outcomes = await Promise.all([here.refresh('alpaca'), there.refresh('alpaca')]);
    assert.ok(outcomes.includes('refreshed') && !outcomes.includes('failed'), outcomes.join());
    assert.equal((await here.listSymbols('alpaca'))?.length, 700);
    assert.ok((await here.listSymbols('alpaca'))?.every((symbol) => symbol.startsWith(letter)));
    const next = String.fromCharCode(letter.charCodeAt(0) + 1);
    one.instruments = listing(next, 700);
    two.instruments = listing(next, 700);
  }
});

forEachDatabase('a listing that was read before another one was stored is discarded', OPTIONS, async (fixture) => {
  await using slow = await startListingServer([TSLA]);
  await using fast = await startListingServer([BRK]);
  const [early, late] = [open(fixture, [slow]).directory, open(fixture, [fast]).directory];
  for (const instruments of [[BRK], [BRK, ENRN]]) {
    fast.instruments = instruments;
    slow.script.push(async (request, response) => {
      assert.equal(await late.refresh('alpaca'), 'refreshed');
      sendJson({ page: [TSLA], next: null })(request, response);
    });
    assert.equal(await early.refresh('alpaca'), 'superseded');
    const symbols = (await late.list()).map(({ source }) => source.type === 'market' && source.symbol);
    assert.deepEqual(
      symbols,
      instruments.map(({ symbol }) => symbol),
    );
  }
});

forEachDatabase('a reader sees the earlier or the new listing during a refresh', OPTIONS, async (fixture) => {
  const listing = (name: string) => Array.from({ length: 1_500 }, (_, i) => ({ ...listedStock(`S${i}`), name }));
  await using server = await startListingServer(listing('one'));
  const { directory } = open(fixture, [server]);
  const seen = new Set<string>();
  for (const name of ['one', 'two', 'three']) {
    server.instruments = listing(name);
    let done = false;
    const refreshed = directory.refresh('alpaca').finally(() => {
      done = true;
    });
    while (!done) {
      const names = new Set((await directory.list()).map(({ title }) => title));
      assert.ok(names.size <= 1, [...names].join());
      for (const title of names) seen.add(title);
      await setImmediate();
    }
    assert.equal(await refreshed, 'refreshed');
  }
  assert.ok(seen.has('one') && seen.has('two'));
});

forEachDatabase(
  'an interrupted first refresh shows nothing, and the next one completes it',
  OPTIONS,
  async (fixture) => {
    await using server = await startListingServer(Array.from({ length: 900 }, (_, i) => listedStock(`S${i}`)));
    const { directory } = open(fixture, [server]);
    const stop = new AbortController();
    const refreshed = directory.refresh('alpaca', stop.signal);
    const countRows = async () =>
      Number(
        (await sql<{ n: number }>`SELECT count(*) AS n FROM market_instrument`.execute(fixture.database.query()))
          .rows[0]?.n,
      );
    while ((await countRows()) === 0) await setImmediate();
    stop.abort();
    await assert.rejects(refreshed, { name: 'AbortError' });
    assert.ok((await countRows()) < 900);
    assert.equal(await directory.find('alpaca', 'S0'), 'unread');
    assert.deepEqual(await directory.list(), []);
    assert.equal((await directory.readStates()).get('alpaca')?.last_error, null);
    assert.equal(await directory.refresh('alpaca'), 'refreshed');
    assert.equal((await directory.listSymbols('alpaca'))?.length, 900);
  },
);
