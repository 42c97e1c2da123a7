import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { createListingAdapter, listedEntry } from '../../../test/support/datasets/listing-adapter.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { createLog, malformed, openDatabase, outboundMigrations } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { datasetMigrations } from '../migrations/index.ts';
import type { Dimension, EconomicAdapter, ListedEntry } from '../providers/provider.ts';
import { createEconomicListing } from './economic-listing.ts';

const OPTIONS = { migrations: [outboundMigrations, datasetMigrations] };
const HICP = listedEntry('prc_hicp', { title: 'HICP - monthly data', keywords: ['Prices', 'Prices', ''] });
const GDP = listedEntry('NY.GDP', { title: 'GDP (current US$)', frequency: '1YE', units: 'US$', hasMembers: true });
const MIXED = listedEntry('EXR', { title: 'Rates', frequency: null });
const COUNTRIES: Dimension = {
  field: 'country',
  label: 'Country',
  values: [
    { value: 'FRA', label: 'France' },
    { value: 'DEU', label: 'Germany' },
  ],
};

function open({ database }: Pick<TestDatabase, 'database'>, ...adapters: readonly EconomicAdapter[]) {
  let now = Date.parse('2026-03-02T10:00:00Z');
  const clock = { now: () => new Date(now) };
  const listing = createEconomicListing({ database, clock, log: createLog('silent'), adapters });
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { listing, wait };
}

const idsOf = (entries: readonly ListedSeries[]) =>
  entries.map(({ source }) => (source.type === 'economic_series' ? source.series_id : null));

/** Returns the transaction that wrote each series. */
async function readRowVersions({ database }: Pick<TestDatabase, 'database'>) {
  const { rows } = await sql<{ series_id: string; xmin: string }>`
    SELECT series_id, xmin::text FROM economic_series ORDER BY provider, series_id
  `.execute(database.query());
  return rows;
}

forEachDatabase('lists the series of a listing once it has been read completely', OPTIONS, async (fixture) => {
  const adapter = createListingAdapter([HICP, GDP, MIXED], { readMembers: async () => COUNTRIES });
  const { listing } = open(fixture, adapter);
  assert.deepEqual(await listing.list(), []);
  assert.equal(await listing.version(), '');
  assert.equal(await listing.refresh('dbnomics'), 'refreshed');
  assert.equal(await listing.version(), 'dbnomics 1');
  const list = await listing.list();
  assert.deepEqual(
    list.map(({ source, title, keywords, provider, frequency, span, units, members }) => ({
      source,
      about: [title, provider, frequency, units, keywords.join(), span?.start, span?.end, members],
    })),
    [
      {
        source: { type: 'economic_series', provider: 'dbnomics', series_id: 'EXR' },
        about: ['Rates', 'dbnomics', 'varies', 'Index', 'DBnomics', undefined, undefined, undefined],
      },
      {
        source: { type: 'economic_series', provider: 'dbnomics', series_id: 'NY.GDP' },
        about: [
          GDP.title,
          'dbnomics',
          '1YE',
          'US$',
          'DBnomics,gross domestic product',
          '2000-12-31T00:00:00.000Z',
          '2024-12-31T00:00:00.000Z',
          { field: 'country', values: COUNTRIES.values },
        ],
      },
      {
        source: { type: 'economic_series', provider: 'dbnomics', series_id: 'prc_hicp' },
        about: [
          HICP.title,
          'dbnomics',
          '1ME',
          'Index',
          'DBnomics,Prices,inflation,cpi,consumer prices',
          '2000-01-31T00:00:00.000Z',
          '2024-01-31T00:00:00.000Z',
          undefined,
        ],
      },
    ],
  );
  const state = (await listing.readStates()).get('dbnomics');
  assert.deepEqual([state?.entries, state?.last_error], [3, null]);
  assert.equal(state?.refreshed_at?.toISOString(), '2026-03-02T10:00:00.000Z');
  assert.equal(await listing.lastUpdateOf('dbnomics', 'EXR'), '2024-02-01T00:00:00.000Z');
  assert.equal(await listing.lastUpdateOf('dbnomics', 'NONE'), null);
  assert.deepEqual(await listing.listFound(), []);
});

forEachDatabase('entries of a listing share one object with the members', OPTIONS, async (fixture) => {
  const adapter = createListingAdapter([GDP, { ...GDP, seriesId: 'NY.GNP' }], { readMembers: async () => COUNTRIES });
  const { listing } = open(fixture, adapter);
  await listing.refresh('dbnomics');
  const [first, second] = await listing.list();
  assert.ok(first?.members !== undefined && first.members === second?.members);
});

forEachDatabase('writes only the difference, and nothing for an unchanged listing', OPTIONS, async (fixture) => {
  const adapter = createListingAdapter([HICP, GDP, MIXED]);
  const { listing, wait } = open(fixture, adapter);
  await listing.refresh('dbnomics');
  const version = await listing.version();
  const rows = await readRowVersions(fixture);
  wait(86_400_000);
  assert.equal(await listing.refresh('dbnomics'), 'refreshed');
  assert.deepEqual(await readRowVersions(fixture), rows, 'no row was written');
  assert.equal(await listing.version(), version);
  assert.equal((await listing.readStates()).get('dbnomics')?.refreshed_at?.toISOString(), '2026-03-03T10:00:00.000Z');

  adapter.entries = [{ ...HICP, lastUpdate: '2024-03-01T00:00:00Z' }, GDP, MIXED];
  await listing.refresh('dbnomics');
  assert.equal(await listing.lastUpdateOf('dbnomics', 'prc_hicp'), '2024-03-01T00:00:00.000Z');
  assert.equal(await listing.version(), version, 'the list has no last update');

  const changes: readonly Partial<ListedEntry>[] = [
    { title: 'GDP' },
    { keywords: ['Economy'] },
    { units: 'EUR' },
    { frequency: '1QE' },
    { span: null },
    { hasMembers: false },
  ];
  for (const change of changes) {
    const before = await listing.version();
    adapter.entries = [HICP, { ...GDP, ...change }, MIXED];
    await listing.refresh('dbnomics');
    assert.notEqual(await listing.version(), before, Object.keys(change).join());
  }
  adapter.entries = [MIXED, listedEntry('NEW')];
  await listing.refresh('dbnomics');
  assert.deepEqual(idsOf(await listing.list()), ['EXR', 'NEW']);
  const untouched = rows.find(({ series_id }) => series_id === 'EXR');
  assert.deepEqual((await readRowVersions(fixture))[0], untouched, 'an unchanged row is never written again');
});

forEachDatabase('a change of the members changes the version', OPTIONS, async (fixture) => {
  let members: Dimension = COUNTRIES;
  const adapter = createListingAdapter([GDP], { readMembers: async () => members });
  const { listing } = open(fixture, adapter);
  await listing.refresh('dbnomics');
  await listing.refresh('dbnomics');
  assert.equal(await listing.version(), 'dbnomics 1');
  const values = [...COUNTRIES.values, { value: 'ESP', label: 'Spain\u0000' }, { value: 'ESP', label: 'Again' }];
  members = { ...COUNTRIES, values: [...values, { value: 'a\nb', label: 'Unusable' }] };
  await listing.refresh('dbnomics');
  assert.equal(await listing.version(), 'dbnomics 2');
  assert.deepEqual((await listing.list())[0]?.members?.values.at(-1), { value: 'ESP', label: 'Spain' });
  members = { ...members, values: values.with(0, { value: 'FRA', label: 'French Republic' }) };
  await listing.refresh('dbnomics');
  assert.equal(await listing.version(), 'dbnomics 3');
  members = { ...COUNTRIES, values: COUNTRIES.values.slice(0, 1) };
  assert.equal(await listing.refresh('dbnomics'), 'failed', 'most members are missing');
  assert.equal((await listing.list())[0]?.members?.values.length, 3);
});

forEachDatabase('a listing that fails, is cut or far too small changes nothing', OPTIONS, async (fixture) => {
  const many = Array.from({ length: 10 }, (_, i) => listedEntry(`S${i}`));
  const adapter = createListingAdapter(many);
  const { listing } = open(fixture, adapter);
  const { readListing } = adapter;
  await listing.refresh('dbnomics');
  const version = await listing.version();
  const failing = (error: Error) =>
    async function* () {
      yield [listedEntry('OTHER')];
      throw error;
    };
  const cases: readonly (readonly [string, Partial<EconomicAdapter>, readonly ListedEntry[]])[] = [
    ['MALFORMED', { readListing: failing(malformed('dbnomics', 'an entry')) }, many],
    ['UNEXPECTED', { readListing: failing(new TypeError('a bug')) }, many],
    ['MALFORMED', { readMembers: () => Promise.reject(malformed('dbnomics', 'a member')) }, many],
    ['TOO_SMALL', {}, many.slice(0, 4)],
    ['TOO_SMALL', {}, []],
  ];
  for (const [fault, more, entries] of cases) {
    Object.assign(adapter, { readListing, readMembers: undefined, entries }, more);
    assert.equal(await listing.refresh('dbnomics'), 'failed');
    assert.equal((await listing.readStates()).get('dbnomics')?.last_error, fault);
    assert.equal(await listing.version(), version);
    assert.equal((await listing.list()).length, 10);
  }
  Object.assign(adapter, { entries: many.slice(0, 5) });
  assert.equal(await listing.refresh('dbnomics'), 'refreshed');
  assert.equal((await listing.readStates()).get('dbnomics')?.last_error, null);
  assert.equal((await listing.list()).length, 5);
});

forEachDatabase('hostile entries are cleaned, cut or dropped', OPTIONS, async (fixture) => {
  const hostile: readonly ListedEntry[] = [
    listedEntry('A', { title: ` A\u0000B\n${'\ud800'} `, units: 'x\u0000'.repeat(1_000_000) }),
    listedEntry('B', { title: 'long '.repeat(200_000), keywords: Array.from({ length: 10_000 }, (_, i) => `k${i}`) }),
    listedEntry('C', { keywords: ['\u0000', '\udfff', 'k'.repeat(1_000_000)], title: '\u0000' }),
    listedEntry('D', { span: { first: Number.NaN, last: 0 }, lastUpdate: '9'.repeat(1_000) }),
    listedEntry('E', { span: { first: 0, last: 8.64e15 }, lastUpdate: '+275760-09-13T00:00:00Z' }),
    listedEntry('F', { span: { first: 1, last: 0 }, frequency: 'constructor' as never }),
    listedEntry('A', { title: 'Again' }),
    listedEntry("Robert'); DROP TABLE economic_series;--"),
    ...['', ' ', 'a\u0000', 'a\nb', ' a', '\ud800', '\u200b', 'x'.repeat(257)].map((id) => listedEntry(id)),
    listedEntry('x'.repeat(256)),
    listedEntry('Éire/日本'),
  ];
  const { listing } = open(fixture, createListingAdapter(hostile));
  assert.equal(await listing.refresh('dbnomics'), 'refreshed');
  const list = new Map((await listing.list()).map((one, i, all) => [idsOf(all)[i], one]));
  assert.equal(list.size, 9);
  assert.equal(list.get('A')?.title, 'A B \ufffd');
  assert.equal(list.get('A')?.units.length, 99);
  assert.equal(list.get('B')?.title.length, 299);
  assert.equal(list.get('B')?.keywords.length, 31);
  assert.deepEqual([list.get('C')?.title, list.get('C')?.keywords], ['C', ['DBnomics', '\ufffd', 'k'.repeat(100)]]);
  for (const id of ['D', 'E', 'F']) assert.equal(list.get(id)?.span, null, id);
  for (const id of ['D', 'E']) assert.equal(await listing.lastUpdateOf('dbnomics', id), null, id);
  assert.equal(list.get('F')?.frequency, 'varies');
  const version = await listing.version();
  await listing.refresh('dbnomics');
  assert.equal(await listing.version(), version, 'what was stored is what was compared');
});

forEachDatabase('two refreshes leave one whole listing, which both processes see', OPTIONS, async (fixture) => {
  const entries = (letter: string) => Array.from({ length: 500 }, (_, i) => listedEntry(`${letter}${i}`));
  const other = fixture.database.kind === 'postgres' ? await openDatabase(fixture.location) : fixture.database;
  if (other !== fixture.database) fixture.cleanup(() => other.close());
  const [one, two] = [createListingAdapter([]), createListingAdapter([])];
  const [here, there] = [open(fixture, one).listing, open({ database: other }, two).listing];
  const versions = new Set<string>();
  for (const letter of ['A', 'B']) {
    one.entries = entries(letter);
    two.entries = entries(letter);
    const outcomes = await Promise.all([here.refresh('dbnomics'), there.refresh('dbnomics')]);
    assert.ok(outcomes.includes('refreshed') && !outcomes.includes('failed'), outcomes.join());
    assert.equal(await here.version(), await there.version());
    versions.add(await here.version());
    const ids = idsOf(await there.list());
    assert.ok(ids.length === 500 && ids.every((id) => id?.startsWith(letter)));
  }
  assert.equal(versions.size, 2);
});

forEachDatabase('a listing that was read before another one was stored is discarded', OPTIONS, async (fixture) => {
  const fast = createListingAdapter([HICP]);
  const late = open(fixture, fast).listing;
  const slow = createListingAdapter([], {
    async *readListing() {
      assert.equal(await late.refresh('dbnomics'), 'refreshed');
      yield [GDP];
    },
  });
  const early = open(fixture, slow).listing;
  for (const entries of [[HICP], [HICP, MIXED]]) {
    fast.entries = entries;
    assert.equal(await early.refresh('dbnomics'), 'superseded');
    assert.deepEqual(idsOf(await late.list()), entries.map(({ seriesId }) => seriesId).sort());
  }
});

forEachDatabase('a reader sees the earlier or the new listing during a refresh', OPTIONS, async (fixture) => {
  const adapter = createListingAdapter([]);
  const { listing } = open(fixture, adapter);
  const seen = new Set<string>();
  for (const title of ['one', 'two', 'three']) {
    adapter.entries = Array.from({ length: 700 }, (_, i) => listedEntry(`S${i}`, { title }));
    let isDone = false;
    const refreshed = listing.refresh('dbnomics').finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const titles = new Set((await listing.list()).map((entry) => entry.title));
      assert.ok(titles.size <= 1, [...titles].join());
      for (const one of titles) seen.add(one);
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
    const adapter = createListingAdapter(Array.from({ length: 900 }, (_, i) => listedEntry(`S${i}`)));
    const { listing } = open(fixture, adapter);
    const stop = new AbortController();
    const refreshed = listing.refresh('dbnomics', stop.signal);
    while ((await readRowVersions(fixture)).length === 0) await setImmediate();
    stop.abort();
    await assert.rejects(refreshed, { name: 'AbortError' });
    assert.ok((await readRowVersions(fixture)).length < 900);
    assert.deepEqual(await listing.list(), []);
    adapter.entries = adapter.entries.slice(1);
    assert.equal(await listing.refresh('dbnomics'), 'refreshed');
    assert.equal((await listing.list()).length, 899);
  },
);
