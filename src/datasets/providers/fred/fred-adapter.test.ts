import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FredSeries, startFredServer } from '../../../../test/support/datasets/fred-server.ts';
import { sendAnswer, sendJson } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient } from '../../../platform/index.ts';
import { createFredAdapter } from './fred-adapter.ts';

const KEY = 'abcdefghijklmnopqrstuvwxyz123456';
/** 2024-07-01, 12:00 in Chicago. */
const NOW = Date.UTC(2024, 6, 1, 17);

const GDP: FredSeries = {
  id: 'GDP',
  title: 'Gross Domestic Product',
  frequency: 'Q',
  units: 'Billions of Dollars',
  seasonalAdjustment: 'Seasonally Adjusted Annual Rate',
  lastUpdated: '2024-03-28 07:51:02-05',
  notes: 'BEA Account Code: A191RC\r\n\r\nGross domestic product\u0000 is\u0085the featured measure.',
  popularity: 93,
  revisions: [
    { date: '2023-10-01', value: 1, published: '2024-01-25' },
    { date: '2024-01-01', value: 2, published: '2024-04-25' },
  ],
};

async function open(series: readonly FredSeries[] = [GDP], key = KEY) {
  const server = await startFredServer({ key: KEY, series, clock: () => NOW });
  return {
    server,
    // A slash at the end of the address must not be sent twice.
    adapter: createFredAdapter({ key, url: `${server.url}/`, requestsPerMinute: 120 }),
    http: createProviderClient({ provider: 'fred', gate: null, sleep: async () => {} }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('describes a series with two requests', async () => {
  await using fred = await open();
  assert.deepEqual(await fred.adapter.readStructure('GDP', fred.http), {
    title: 'Gross Domestic Product',
    units: 'Billions of Dollars',
    multiplier: 1e9,
    seasonalAdjustment: 'Seasonally Adjusted Annual Rate',
    publisher: 'Federal Reserve Bank of St. Louis',
    lastUpdate: '2024-03-28T12:51:02.000Z',
    notes: 'BEA Account Code: A191RC Gross domestic product is the featured measure.',
    dimensions: [],
    frequency: { frequency: '1QE' },
    span: { first: Date.UTC(2023, 9, 1), last: Date.UTC(2024, 0, 1) },
    firstVintage: '2024-01-25',
  });
  const common = { series_id: 'GDP', file_type: 'json', api_key: KEY };
  const vintages = { realtime_start: '1776-07-04', realtime_end: '9999-12-31', sort_order: 'asc', limit: '1' };
  assert.deepEqual(
    fred.server.requests.map(({ path, query }) => ({ path, query })),
    [
      { path: '/fred/series', query: common },
      { path: '/fred/series/vintagedates', query: { ...common, ...vintages } },
    ],
  );
});

test('a series without vintages has no first one', async () => {
  await using fred = await open([{ ...GDP, isInAlfred: false }]);
  const readFirstVintage = async () => (await fred.adapter.readStructure('GDP', fred.http))?.firstVintage;
  assert.equal(await readFirstVintage(), null);
  const period = '1776-07-04 to 9999-12-31';
  const message = `Bad Request.  No vintage dates exist for the specified real-time period: ${period}.`;
  fred.server.script.push(sendAnswer, sendJson({ error_code: 400, error_message: message }, 400));
  assert.equal(await readFirstVintage(), null);
  fred.server.script.push(sendAnswer, sendJson({ vintage_dates: [] }));
  assert.equal(await readFirstVintage(), null);
  for (const dates of ['2024-01-25', ['2024-02-30'], [20_240_125], ['2024-01-25', '2024-04-25'], undefined]) {
    fred.server.script.push(sendAnswer, sendJson({ vintage_dates: dates }));
    await assert.rejects(readFirstVintage(), { fault: 'MALFORMED' });
  }
});

test('returns null for ids that do not exist, and requests none that cannot exist', async () => {
  await using fred = await open();
  const { adapter, http, server } = fred;
  for (const seriesId of ['NONE', 'NOSUCHSERIES']) {
    assert.equal(await adapter.readStructure(seriesId, http), null);
    assert.equal(await adapter.readSeries({ seriesId, dimensions: {} }, http), null);
  }
  assert.equal(server.requests.length, 4);
  for (const seriesId of ['', 'gdp', 'GDP/1', 'GDP&limit=1', 'A'.repeat(26), 'GDP\n', 'ÄGDP', '__proto__']) {
    assert.equal(await adapter.readStructure(seriesId, http), null);
    assert.equal(await adapter.readSeries({ seriesId, dimensions: {} }, http), null);
  }
  assert.equal(server.requests.length, 4);
  const message = 'Bad Request.  Invalid value for variable series_id.  Series IDs should be 25 or less characters.';
  server.script.push(sendJson({ error_code: 400, error_message: message }, 400));
  assert.equal(await adapter.readStructure('A_B', http), null);
});

test('reads frequencies, multipliers, instants and spans', async () => {
  await using fred = await open();
  const readChanged = async (change: object) => {
    const record = { id: 'GDP', title: 'GDP', frequency_short: 'Q', ...change };
    fred.server.script.push(sendJson({ seriess: [record] }));
    const structure = await fred.adapter.readStructure('GDP', fred.http);
    assert.ok(structure);
    return structure;
  };
  const frequencies = { D: '1D', W: '1W-MON', M: '1ME', Q: '1QE', A: '1YE' };
  for (const [code, frequency] of Object.entries(frequencies)) {
    assert.deepEqual((await readChanged({ frequency_short: code })).frequency, { frequency });
  }
  const unsupported = {
    BW: 'two-weekly',
    SA: 'half-yearly',
    '5Y': 'five-yearly',
    '10Y': 'ten-yearly',
    NA: 'irregular',
    H: 'irregular',
    constructor: 'irregular',
  };
  for (const [code, name] of Object.entries(unsupported)) {
    assert.deepEqual((await readChanged({ frequency_short: code })).frequency, { unsupported: name });
  }
  const multipliers = {
    'Thousands of Persons': 1e3,
    'Thousand Barrels per Day': 1e3,
    'Millions of Dollars': 1e6,
    'Billions of Chained 2017 Dollars': 1e9,
    'Trillions of Yen': 1e12,
    Percent: null,
    'Index 1982-1984=100': null,
    'Dollars per Million BTU': null,
    Millionsx: null,
  };
  for (const [units, multiplier] of Object.entries(multipliers)) {
    const structure = await readChanged({ units });
    assert.deepEqual([structure.units, structure.multiplier], [units, multiplier]);
  }
  const instants = {
    '2024-03-28 07:51:02-05': '2024-03-28T12:51:02.000Z',
    '2023-12-31 18:30:00-06': '2024-01-01T00:30:00.000Z',
    '2024-02-30 07:51:02-05': null,
    '2024-03-28 25:51:02-05': null,
    yesterday: null,
  };
  for (const [text, instant] of Object.entries(instants)) {
    assert.equal((await readChanged({ last_updated: text })).lastUpdate, instant);
  }
  const spans = [
    ['2024-02-29', '2024-02-29', { first: Date.UTC(2024, 1, 29), last: Date.UTC(2024, 1, 29) }],
    ['2024-03-01', '2024-02-29', null],
    ['2024-03-01', undefined, null],
  ] as const;
  for (const [observation_start, observation_end, span] of spans) {
    assert.deepEqual((await readChanged({ observation_start, observation_end })).span, span);
  }
  // The limit cuts a character of two code units.
  const { notes } = await readChanged({ notes: `${'x'.repeat(1_999)}\u{1f600}` });
  assert.ok(notes?.isWellFormed() && notes.length === 2_000);
});

test('refuses replies about another series or of another shape', async () => {
  await using fred = await open();
  const record = { id: 'GDP', title: 'GDP', frequency_short: 'Q' };
  for (const seriess of [
    [],
    [record, record],
    [{ ...record, id: 'GNP' }],
    [{ ...record, title: 7 }],
    [{ ...record, units: {} }],
    [{ ...record, notes: [] }],
    [{ ...record, frequency_short: 7 }],
    [{ ...record, frequency_short: undefined }],
    { 0: record },
    undefined,
  ]) {
    fred.server.script.push(sendJson({ seriess }));
    await assert.rejects(fred.adapter.readStructure('GDP', fred.http), { fault: 'MALFORMED' });
  }
});

test('a series without a title is named by its id', async () => {
  await using fred = await open();
  fred.server.script.push(sendJson({ seriess: [{ id: 'GDP', title: ' \n', frequency_short: 'Q' }] }));
  assert.equal((await fred.adapter.readStructure('GDP', fred.http))?.title, 'GDP');
});

test('a wrong key is a rejected credential, not an unknown series', async () => {
  for (const key of ['', 'short', 'z'.repeat(32)]) {
    await using fred = await open([GDP], key);
    const { adapter, http } = fred;
    const unauthorized = { fault: 'UNAUTHORIZED', message: /rejected the credential/ };
    await assert.rejects(adapter.readStructure('GDP', http), unauthorized);
    await assert.rejects(adapter.readSeries({ seriesId: 'GDP', dimensions: {} }, http), unauthorized);
    await assert.rejects(adapter.readListing(http)[Symbol.asyncIterator]().next(), unauthorized);
    await assert.rejects(Promise.resolve(adapter.search?.('gdp', 20, http)), unauthorized);
  }
});
