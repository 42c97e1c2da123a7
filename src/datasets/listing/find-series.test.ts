import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { createListingAdapter, listedEntry } from '../../../test/support/datasets/listing-adapter.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { type Reply, sendJson, stallBody, startWireServer } from '../../../test/support/platform/wire-server.ts';
import { HOUR_MS } from '../../calendar/index.ts';
import { malformed, openDatabase, outboundMigrations, readProviderStates } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { datasetMigrations } from '../migrations/index.ts';
import type { EconomicAdapter, ListedEntry } from '../providers/provider.ts';
import { createEconomicListing } from './economic-listing.ts';

const OPTIONS = { migrations: [outboundMigrations, datasetMigrations] };
const GDP = listedEntry('GDP', { title: 'Gross Domestic Product', frequency: '1QE' });
const DAY_MS = 24 * HOUR_MS;

const fred = (more: Partial<EconomicAdapter> = {}) =>
  createListingAdapter([listedEntry('LISTED')], { id: 'fred', name: 'FRED', isKeyless: false, ...more });

function open(
  { database }: Pick<TestDatabase, 'database'>,
  adapters: readonly EconomicAdapter[],
  { findMs }: { readonly findMs?: number } = {},
) {
  let now = Date.parse('2026-03-02T10:00:00Z');
  const clock = { now: () => new Date(now) };
  const lines: object[] = [];
  const record = (details: object) => void lines.push(details);
  const log = { info: record, warn: record, error: record };
  const listing = createEconomicListing({ database, clock, log, adapters, findMs });
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { listing, wait, lines };
}

const idsOf = (entries: readonly ListedSeries[]) =>
  entries.map(({ source }) => (source.type === 'economic_series' ? source.series_id : null));

forEachDatabase('stores what searches find, once, and another process sees it', OPTIONS, async (fixture) => {
  const other = fixture.database.kind === 'postgres' ? await openDatabase(fixture.location) : fixture.database;
  if (other !== fixture.database) fixture.cleanup(() => other.close());
  const adapter = fred();
  const { listing, wait } = open(fixture, [adapter]);
  const there = open({ database: other }, [fred()]).listing;
  adapter.hits = [GDP, { ...GDP, title: 'Again' }, listedEntry('a\u0000b'), listedEntry('CPI')];
  assert.deepEqual(await listing.find(' Gross  GDP\n'), { isChanged: true, unavailable: [] });
  assert.deepEqual(adapter.queries, ['gross gdp']);
  assert.equal(await listing.foundVersion(), 'fred 1');
  assert.equal(await there.foundVersion(), 'fred 1');
  const found = await there.listFound();
  assert.deepEqual(idsOf(found), ['CPI', 'GDP']);
  assert.deepEqual(found[1]?.keywords, ['FRED', 'gdp']);
  assert.equal(found[1]?.span?.end, '2024-03-31T00:00:00.000Z');
  assert.deepEqual(await listing.list(), []);
  assert.equal(await listing.version(), '');

  wait(HOUR_MS - 1);
  assert.deepEqual(await listing.find('gross GDP'), { isChanged: false, unavailable: [] });
  assert.equal(adapter.queries.length, 1, 'the provider answered within the last hour');
  wait(1);
  assert.deepEqual(await listing.find('gross gdp'), { isChanged: false, unavailable: [] });
  assert.equal(adapter.queries.length, 2);
  assert.equal(await listing.foundVersion(), 'fred 1', 'nothing changed');
  adapter.hits = [{ ...GDP, lastUpdate: '2025-01-01T00:00:00Z' }];
  assert.equal((await listing.find('other')).isChanged, false);
  assert.equal(await listing.lastUpdateOf('fred', 'GDP'), '2025-01-01T00:00:00.000Z');
  adapter.hits = [{ ...GDP, title: 'Renamed' }];
  assert.equal((await listing.find('another')).isChanged, true);
  assert.equal(await there.foundVersion(), 'fred 2');
  assert.equal((await there.listFound())[1]?.title, 'Renamed');
});

forEachDatabase('a series of the listing stays listed, and a found one becomes listed', OPTIONS, async (fixture) => {
  const adapter = fred();
  const { listing } = open(fixture, [adapter]);
  adapter.hits = [GDP, listedEntry('ONLY_FOUND')];
  await listing.find('gdp');
  adapter.entries = [GDP, listedEntry('LISTED')];
  assert.equal(await listing.refresh('fred'), 'refreshed');
  assert.deepEqual(idsOf(await listing.list()), ['GDP', 'LISTED']);
  assert.deepEqual(idsOf(await listing.listFound()), ['ONLY_FOUND'], 'it stays, although the listing lacks it');
  assert.equal(await listing.foundVersion(), 'fred 2');

  adapter.hits = [{ ...GDP, title: 'Other' }, listedEntry('NEWLY')];
  assert.equal((await listing.find('gdp two')).isChanged, true);
  assert.equal((await listing.list())[0]?.title, GDP.title, 'a listed row is not overwritten');
  adapter.entries = [GDP, listedEntry('LISTED'), listedEntry('NEWLY')];
  await listing.refresh('fred');
  assert.deepEqual(idsOf(await listing.list()), ['GDP', 'LISTED', 'NEWLY']);
  assert.deepEqual(idsOf(await listing.listFound()), ['ONLY_FOUND']);
  const version = await listing.foundVersion();
  adapter.entries = [GDP, listedEntry('LISTED')];
  await listing.refresh('fred');
  assert.deepEqual(idsOf(await listing.list()), ['GDP', 'LISTED']);
  assert.equal(await listing.foundVersion(), version);
});

forEachDatabase('a search during a refresh loses nothing', OPTIONS, async (fixture) => {
  for (const isFirst of [true, false]) {
    const adapter = fred({
      async *readListing() {
        yield [listedEntry('LISTED'), listedEntry(`BOTH${isFirst}`)];
        // The refresh has not compared the rows yet.
        adapter.hits = [listedEntry(`BOTH${isFirst}`), listedEntry(`FOUND${isFirst}`)];
        assert.deepEqual((await listing.find('query')).unavailable, []);
      },
    });
    const { listing } = open(fixture, [adapter]);
    const finds: Promise<unknown>[] = [];
    const refreshed = listing.refresh('fred');
    for (let i = 0; i < 5; i++) finds.push(listing.find(`query ${i}`));
    assert.equal(await refreshed, 'refreshed');
    await Promise.all(finds);
    assert.deepEqual(idsOf(await listing.list()), [`BOTH${isFirst}`, 'LISTED']);
    assert.ok(idsOf(await listing.listFound()).includes(`FOUND${isFirst}`));
    assert.ok(!idsOf(await listing.listFound()).includes(`BOTH${isFirst}`));
  }
});

forEachDatabase('an interrupted first refresh keeps the found series', OPTIONS, async (fixture) => {
  const stop = new AbortController();
  const adapter = fred();
  const { listing } = open(fixture, [adapter]);
  adapter.hits = [listedEntry('S0')];
  await listing.find('query');
  adapter.entries = Array.from({ length: 900 }, (_, i) => listedEntry(`S${i}`));
  const refreshed = listing.refresh('fred', stop.signal);
  const count = async () =>
    Number(
      (await sql<{ n: number }>`SELECT count(*) AS n FROM economic_series`.execute(fixture.database.query())).rows[0]
        ?.n,
    );
  while ((await count()) <= 1) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await assert.rejects(refreshed, { name: 'AbortError' });
  assert.deepEqual(idsOf(await listing.listFound()), ['S0']);
  assert.equal(await listing.refresh('fred'), 'refreshed');
  assert.equal((await listing.list()).length, 900);
  assert.deepEqual(await listing.listFound(), []);
});

forEachDatabase('a provider without a key takes part once its listing was read', OPTIONS, async (fixture) => {
  const keyless = createListingAdapter([listedEntry('A')]);
  const withoutSearch = createListingAdapter([listedEntry('A')], { id: 'ecb' });
  delete withoutSearch.search;
  const { listing } = open(fixture, [keyless, withoutSearch]);
  assert.deepEqual(await listing.find('gdp'), { isChanged: false, unavailable: [] });
  assert.deepEqual(keyless.queries, []);
  await listing.refresh('dbnomics');
  keyless.hits = Array.from({ length: 30 }, (_, i) => listedEntry(`F${i}`));
  assert.equal((await listing.find('gdp')).isChanged, true);
  assert.equal((await listing.listFound()).length, 20, 'at most 20 hits');
});

forEachDatabase('sends no query that is too short or too long', OPTIONS, async (fixture) => {
  const adapter = fred();
  const { listing } = open(fixture, [adapter]);
  for (const query of ['', ' ', 'x', ' \u0000x\n', 'x'.repeat(101), 'x'.repeat(1_000_000)]) {
    assert.deepEqual(await listing.find(query), { isChanged: false, unavailable: [] });
  }
  assert.deepEqual(adapter.queries, []);
  await listing.find('x'.repeat(100));
  await listing.find('a\ud800');
  assert.deepEqual(adapter.queries, ['x'.repeat(100), 'a\ufffd']);
});

forEachDatabase('identical queries at the same time share one call', OPTIONS, async (fixture) => {
  const reply = Promise.withResolvers<readonly ListedEntry[]>();
  const adapter = fred();
  adapter.search = (query) => {
    adapter.queries.push(query);
    return reply.promise;
  };
  const { listing } = open(fixture, [adapter], { findMs: 60_000 });
  const stop = new AbortController();
  const first = listing.find('gdp', stop.signal);
  const second = listing.find('GDP ');
  stop.abort(new Error('gone'));
  await assert.rejects(first, /gone/);
  reply.resolve([GDP]);
  assert.deepEqual(await second, { isChanged: true, unavailable: [] });
  assert.deepEqual(adapter.queries, ['gdp']);
  await assert.rejects(listing.find('unemployment', stop.signal), /gone/);
  assert.deepEqual(adapter.queries, ['gdp']);
});

forEachDatabase(
  'a provider that hangs, fails or replies late leaves the results of the others',
  OPTIONS,
  async (fixture) => {
    await using server = await startWireServer(() => ({ status: 200, body: [GDP] }));
    const remote = fred();
    remote.search = (query, limit, http) =>
      http.getJson(`${server.url}/search?q=${query}&limit=${limit}`, {
        accept: (reply) => {
          if (!Array.isArray(reply)) throw malformed('fred', 'not a list');
          return reply;
        },
      });
    const local = createListingAdapter([listedEntry('A')], { id: 'other', isKeyless: false });
    const deaf = createListingAdapter([], { id: 'deaf', isKeyless: false, search: () => new Promise(() => {}) });
    const broken = createListingAdapter([], {
      id: 'broken',
      isKeyless: false,
      search: () => {
        throw new TypeError('a bug');
      },
    });
    let sendLate = () => {};
    const late: Reply = (_request, _response, answer) => {
      sendLate = answer;
    };
    const { listing, lines } = open(fixture, [deaf, remote, local, broken], { findMs: 250 });
    const faults: readonly Reply[] = [stallBody, late, sendJson({}, 403), sendJson({ page: 7 })];
    for (const [i, reply] of faults.entries()) {
      server.script.push(reply);
      local.hits = [listedEntry(`L${i}`)];
      assert.deepEqual(await listing.find(`query ${i}`), { isChanged: true, unavailable: ['deaf', 'fred', 'broken'] });
      sendLate();
      sendLate = () => {};
      assert.ok(idsOf(await listing.listFound()).includes(`L${i}`));
      assert.ok(!idsOf(await listing.listFound()).includes('GDP'));
    }
    const { port } = new URL(server.url);
    const logged = JSON.stringify(lines, (_, value) =>
      value instanceof Error ? { ...value, text: String(value) } : value,
    );
    assert.ok(logged.includes('TIMEOUT') && !logged.includes(port) && !logged.includes('query'), logged);
  },
);

forEachDatabase('a failed query is sent again, with a budget and a breaker of its own', OPTIONS, async (fixture) => {
  await using server = await startWireServer(() => ({ status: 200, body: [GDP] }));
  const adapter = fred();
  adapter.search = (_query, _limit, http) => http.getJson(server.url);
  const { listing } = open(fixture, [adapter], { findMs: 10_000 });
  server.script.push(sendJson({}, 403));
  assert.deepEqual((await listing.find('gdp')).unavailable, ['fred']);
  assert.deepEqual(await listing.find('gdp'), { isChanged: true, unavailable: [] });
  assert.equal(server.requests.length, 2);
  server.script.push(sendJson({}, 400));
  assert.deepEqual(await listing.find('refused words'), { isChanged: false, unavailable: [] });
  assert.deepEqual(await listing.find('refused words'), { isChanged: false, unavailable: [] });
  assert.equal(server.requests.length, 3, 'a refusal is an answer');
  const states = await readProviderStates(fixture.database, () => Date.parse('2026-03-02T10:00:00Z'));
  assert.deepEqual(
    states.map(({ provider, requestsLeft }) => [provider, requestsLeft]),
    [['fred-search', 3]],
    'a burst of six searches, of which three are left',
  );
});

forEachDatabase('a search that hangs counts as a failure of the provider', OPTIONS, async (fixture) => {
  await using server = await startWireServer(() => ({ status: 200, body: [GDP] }));
  const adapter = fred();
  adapter.search = (_query, _limit, http) => http.getJson(server.url);
  const { listing, wait } = open(fixture, [adapter], { findMs: 200 });
  const countFailures = async () => (await readProviderStates(fixture.database))[0]?.failures ?? 0;
  // An attempt with too little time, because this machine is busy, does not count.
  for (let i = 0; i < 20 && (await countFailures()) === 0; i++) {
    server.script.push(stallBody);
    assert.deepEqual((await listing.find(`query ${i}`)).unavailable, ['fred']);
    wait(4_000);
  }
  assert.equal(await countFailures(), 1);
});

forEachDatabase('keeps 5,000 found series, those that were found last', OPTIONS, async (fixture) => {
  const [adapter, other] = [fred(), createListingAdapter([], { id: 'other', isKeyless: false })];
  const { listing, wait } = open(fixture, [adapter, other]);
  adapter.hits = [listedEntry('OLDEST'), listedEntry('POPULAR')];
  await listing.find('first');
  other.hits = [listedEntry('SECOND')];
  wait(1_000);
  await listing.find('second');
  // The others are inserted directly, because a search finds only 20.
  await sql`
    INSERT INTO economic_series (provider, series_id, title, keywords, units, has_members, is_found, found_at)
    SELECT 'fred', 'S' || n, 'S', '{}', '', false, true, '2026-03-03T10:00:00Z' FROM generate_series(1, 4997) AS n
  `.execute(fixture.database.query());
  wait(2 * DAY_MS);
  adapter.hits = [listedEntry('POPULAR'), listedEntry('NEW')];
  other.hits = [];
  const version = await listing.foundVersion();
  assert.equal((await listing.find('third')).isChanged, true);
  let ids = idsOf(await listing.listFound());
  assert.equal(ids.length, 5_000);
  assert.deepEqual(
    ['OLDEST', 'POPULAR', 'SECOND', 'NEW'].map((id) => ids.includes(id)),
    [false, true, true, true],
  );
  adapter.hits = [listedEntry('NEWEST')];
  await listing.find('fourth');
  ids = idsOf(await listing.listFound());
  assert.deepEqual([ids.length, ids.includes('SECOND'), ids.includes('POPULAR')], [5_000, false, true]);
  assert.equal(version, 'fred 1, other 1');
  assert.equal(await listing.foundVersion(), 'fred 3, other 2', 'a series of the other provider was removed');
});
