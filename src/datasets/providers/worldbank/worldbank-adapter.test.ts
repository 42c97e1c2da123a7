import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorldBankScene, WORLDBANK_INDICATORS } from '../../../../test/support/datasets/worldbank-scene.ts';
import { startWorldBankServer } from '../../../../test/support/datasets/worldbank-server.ts';
import { sendAnswer, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient } from '../../../platform/index.ts';
import { unitsInName } from './indicators.ts';
import { createWorldBankAdapter } from './worldbank-adapter.ts';

const GDP = 'NY.GDP.MKTP.CD';
const USA = { seriesId: GDP, dimensions: { country: 'USA' } };

const openClient = () => createProviderClient({ provider: 'worldbank', gate: null, sleep: async () => {} });

type Json = Record<string, unknown>;

/** A valid reply with two rows, which `change` can damage. */
function reply(change: (rows: [Json, Json], header: Json) => unknown = () => {}): unknown {
  const row = (date: string, value: number): Json => ({
    indicator: { id: GDP, value: 'GDP (current US$)' },
    country: { id: 'US', value: 'United States' },
    countryiso3code: 'USA',
    date,
    value,
    unit: '',
    obs_status: '',
    decimal: 0,
  });
  const rows: [Json, Json] = [row('2023', 2), row('2022', 1)];
  const header: Json = { page: 1, pages: 1, per_page: 20000, total: 2, sourceid: '2', lastupdated: '2024-03-28' };
  change(rows, header);
  return [header, rows];
}

async function readReplies(...replies: unknown[]) {
  await using scene = await createWorldBankScene();
  scene.server.script.push(...replies.map((one) => sendJson(one)));
  return await scene.adapter.readSeries(USA, openClient());
}

test('describes an indicator with two requests', async () => {
  await using scene = await createWorldBankScene();
  const structure = await scene.adapter.readStructure(GDP, openClient());
  assert.ok(structure);
  const { dimensions, ...details } = structure;
  assert.deepEqual(details, {
    title: 'GDP (current US$)',
    units: 'current US$',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: 'World Bank, World Development Indicators',
    lastUpdate: null,
    notes: "GDP at purchaser's prices is the sum of gross value added. Data are in current U.S. dollars.",
    frequency: { frequency: '1YE' },
    span: null,
    firstVintage: null,
  });
  assert.equal(dimensions.length, 1);
  assert.deepEqual(
    [dimensions[0]?.field, dimensions[0]?.label, dimensions[0]?.values.length],
    ['country', 'Country', 8],
  );
  assert.deepEqual(dimensions[0]?.values[6], { value: 'LCN', label: 'Latin America & Caribbean' });
  assert.deepEqual(
    scene.server.requests.map(({ path, query }) => [path, query]),
    [
      [`/indicator/${GDP}`, { format: 'json' }],
      ['/country', { format: 'json', per_page: '400' }],
    ],
  );
});

test('states the units and the frequency that the source implies', async () => {
  await using scene = await createWorldBankScene();
  const structure = await scene.adapter.readStructure('DP.DOD.DECD.CR.BC.CD', openClient());
  assert.deepEqual([structure?.units, structure?.frequency], ['US$', { frequency: '1QE' }]);
  const series = await scene.adapter.readSeries(
    { seriesId: 'DP.DOD.DECD.CR.BC.CD', dimensions: { country: 'FRA' } },
    openClient(),
  );
  assert.deepEqual(series?.details, { units: 'US$', lastUpdate: '2021-02-01T00:00:00.000Z' });
});

test('finds units in the name of an indicator', () => {
  const cases = [
    ['GDP (current US$)', 'current US$'],
    ['Unemployment, total (% of total labor force) (national estimate)', '% of total labor force'],
    ['Access (% of people (rural))', '% of people (rural)'],
    ['Population, total', ''],
    ['Rate (per 1,000) of births', ''],
    ['(national estimate)', ''],
    ['Broken)', ''],
    [')'.repeat(500), ''],
  ] as const;
  for (const [name, units] of cases) assert.equal(unitsInName(name), units, name);
});

test('returns flags with labels, footnotes once, and the last update', async () => {
  await using scene = await createWorldBankScene();
  const series = await scene.adapter.readSeries(USA, openClient());
  assert.deepEqual(series?.flagLabels, { E: 'Estimate', F: 'Forecast' });
  assert.deepEqual(series?.footnotes, ['Staff estimate.']);
  assert.deepEqual(series?.details, { lastUpdate: '2024-03-28T00:00:00.000Z' });
  assert.deepEqual(scene.server.requests[0]?.query, { format: 'json', per_page: '20000', footnote: 'y' });
});

test('requests an indicator without footnotes once if its source refuses them', async () => {
  await using scene = await createWorldBankScene();
  const selection = { seriesId: '1.2_ACCESS.ELECTRICITY.RURAL', dimensions: { country: 'ABW' } };
  const series = await scene.adapter.readSeries(selection, openClient());
  assert.deepEqual([series?.observations.length, series?.footnotes], [3, []]);
  const queries = [
    { format: 'json', per_page: '20000', footnote: 'y' },
    { format: 'json', per_page: '20000' },
  ];
  assert.deepEqual(
    scene.server.requests.map(({ query }) => query),
    queries,
  );
  // A page after the first one is refused: all pages are requested again.
  scene.server.requests.length = 0;
  scene.server.script.push(
    sendJson(reply((_rows, header) => Object.assign(header, { pages: 2, total: 3 }))),
    sendText('REPLY', 400),
  );
  assert.equal((await scene.adapter.readSeries(USA, openClient()))?.observations.length, 12);
  assert.deepEqual(
    scene.server.requests.map(({ query }) => [query.page, query.footnote]),
    [
      [undefined, 'y'],
      ['2', 'y'],
      [undefined, undefined],
    ],
  );
  for (const [statuses, count] of [
    [[400, 400], 2],
    [[422], 1],
  ] as const) {
    scene.server.requests.length = 0;
    scene.server.script.push(...statuses.map((status) => sendText('REPLY', status)));
    await assert.rejects(scene.adapter.readSeries(USA, openClient()), { fault: 'REJECTED' });
    assert.equal(scene.server.requests.length, count);
  }
});

test('returns no rows of several frequencies, which do not count for the breaker', async () => {
  const outcomes: unknown[] = [];
  const http = createProviderClient({
    provider: 'worldbank',
    gate: {
      enter: async () => ({ kind: 'granted', permit: { trial: null, isSuccessNews: false } }),
      leave: async (_permit, outcome) => {
        outcomes.push(outcome);
      },
    },
  });
  await using scene = await createWorldBankScene();
  scene.server.script.push(sendJson(reply(([row]) => Object.assign(row, { date: '2023Q4' }))));
  await assert.rejects(scene.adapter.readSeries(USA, http), {
    fault: 'REJECTED',
    message: 'worldbank rejected the request (rows of several frequencies).',
  });
  assert.deepEqual(outcomes, ['succeeded']);
  assert.equal(scene.server.requests.length, 1);
});

test('omits a last update that is not a date', async () => {
  for (const lastupdated of [null, '', '2024', '28.03.2024', 7]) {
    const series = await readReplies(reply((_rows, header) => Object.assign(header, { lastupdated })));
    assert.deepEqual(series?.details, {}, String(lastupdated));
  }
});

test('refuses rows of another indicator, country, frequency or form', async () => {
  const cases: Record<string, (rows: [Json, Json], header: Json) => unknown> = {
    'another indicator': ([row]) => Object.assign(row, { indicator: { id: 'NY.GDP.MKTP.KD' } }),
    'only another indicator': (rows) => rows.map((row) => Object.assign(row, { indicator: { id: 'NY.GDP.MKTP.KD' } })),
    'a row that is not an object': (rows) => (rows as unknown[]).push(null),
    'no indicator': ([, row]) => delete row.indicator,
    'another country': ([, row]) => Object.assign(row, { countryiso3code: 'FRA' }),
    'another short code': ([, row]) => Object.assign(row, { countryiso3code: '', country: { id: 'FR' } }),
    'no code': ([row]) => Object.assign(row, { countryiso3code: '', country: {} }),
    'a half-year': ([row]) => Object.assign(row, { date: '2023-S1' }),
    'a day': (rows) => rows.map((row) => Object.assign(row, { date: '2023-12-31' })),
    'no date': ([row]) => delete row.date,
    'a value in words': ([row]) => Object.assign(row, { value: '2' }),
    'no value': ([row]) => delete row.value,
    'a flag that is not a text': ([row]) => Object.assign(row, { obs_status: 7 }),
    'a long flag': ([row]) => Object.assign(row, { obs_status: 'E'.repeat(21) }),
    'fewer rows than stated': (_rows, header) => Object.assign(header, { total: 3 }),
    'more rows than stated': (_rows, header) => Object.assign(header, { total: 1 }),
    'a page that has no successor': (_rows, header) => Object.assign(header, { pages: 2, total: 2 }),
    'no header': (_rows, header) => delete header.total,
    'too many rows': (_rows, header) => Object.assign(header, { pages: 6, total: 100_001 }),
  };
  assert.equal((await readReplies(reply()))?.observations.length, 2);
  for (const [name, change] of Object.entries(cases)) {
    await assert.rejects(readReplies(reply(change)), { fault: 'MALFORMED' }, name);
  }
  const infinite = JSON.stringify(reply()).replace('"value":2', '"value":2e999');
  await using scene = await createWorldBankScene();
  scene.server.script.push(sendText(infinite));
  await assert.rejects(scene.adapter.readSeries(USA, openClient()), { fault: 'MALFORMED' });
  await assert.rejects(readReplies(reply((_rows, header) => Object.assign(header, { page: 2 }))), {
    fault: 'PAGE_LOOP',
  });
});

test('compares the short code of an aggregate whose rows have no other', async () => {
  const withShortCode = reply((rows) => rows.map((row) => Object.assign(row, { countryiso3code: '' })));
  await using scene = await createWorldBankScene();
  scene.server.script.push(sendJson(withShortCode));
  assert.equal((await scene.adapter.readSeries(USA, openClient()))?.observations.length, 2);
  assert.equal(scene.server.requests[1]?.path, '/country/USA');
  scene.server.script.push(sendJson(withShortCode));
  const fra = { seriesId: GDP, dimensions: { country: 'FRA' } };
  await assert.rejects(scene.adapter.readSeries(fra, openClient()), { fault: 'MALFORMED' });
});

test('reads all pages of a long series', async () => {
  const countries = [{ id: 'USA', iso2Code: 'US', name: 'United States' }];
  await using server = await startWorldBankServer({ countries, indicators: WORLDBANK_INDICATORS, maxPerPage: 5 });
  const adapter = createWorldBankAdapter({ url: server.url, requestsPerMinute: 60 });
  const series = await adapter.readSeries(USA, openClient());
  assert.equal(series?.observations.length, 12);
  assert.deepEqual(
    server.requests.map(({ query }) => query.page),
    [undefined, '2', '3'],
  );
  // The number of rows changes between two pages, because the provider published new ones.
  server.script.push(sendAnswer, sendJson(reply((_rows, header) => Object.assign(header, { page: 2, total: 13 }))));
  await assert.rejects(adapter.readSeries(USA, openClient()), { fault: 'MALFORMED' });
});

test('returns null for an archived indicator, an unknown country and an empty list', async () => {
  await using scene = await createWorldBankScene();
  const read = (seriesId: string, country: string) =>
    scene.adapter.readSeries({ seriesId, dimensions: { country } }, openClient());
  assert.ok(await scene.adapter.readStructure('IC.REG.DURS', openClient()));
  assert.equal(await read('IC.REG.DURS', 'USA'), null);
  assert.equal(await read(GDP, 'ZZZ'), null);
  assert.equal(await read(GDP, 'INX'), null);
});

test('requests neither lists of everything nor codes of another form', async () => {
  await using scene = await createWorldBankScene();
  for (const country of ['ALL', 'all', 'US', 'usa', 'USA;FRA', '']) {
    assert.equal(
      await scene.adapter.readSeries({ seriesId: GDP, dimensions: { country } }, openClient()),
      null,
      country,
    );
  }
  for (const dimensions of [{}, { geo: 'USA' }]) {
    assert.equal(await scene.adapter.readSeries({ seriesId: GDP, dimensions }, openClient()), null);
  }
  for (const id of ['all', 'All', `${GDP};SP.POP.TOTL`]) {
    assert.equal(await scene.adapter.readStructure(id, openClient()), null, id);
  }
  assert.equal(scene.server.requests.length, 0);
});

test('has no series under an id in another case, which the World Bank accepts', async () => {
  await using scene = await createWorldBankScene();
  const seriesId = GDP.toLowerCase();
  assert.equal(await scene.adapter.readStructure(seriesId, openClient()), null);
  assert.equal(await scene.adapter.readSeries({ ...USA, seriesId }, openClient()), null);
  assert.equal(scene.server.requests.length, 2);
});

test('distinguishes messages', async () => {
  const message = (id: unknown) => [{ message: [{ id, key: 'Invalid value', value: 'REPLY' }] }];
  assert.equal(await readReplies(message('120')), null);
  assert.equal(await readReplies(message('175')), null);
  await assert.rejects(readReplies(message('105')), { fault: 'UNAVAILABLE' });
  for (const id of ['112', '', 120, null]) await assert.rejects(readReplies(message(id)), { fault: 'MALFORMED' });
  await assert.rejects(readReplies([{ message: [] }]), { fault: 'MALFORMED' });
});

test('lists countries that can be requested, and refuses one that is listed twice', async () => {
  await using scene = await createWorldBankScene();
  const read = async (...ids: string[]) => {
    const rows = ids.map((id) => ({ id, iso2Code: 'US', name: '' }));
    scene.server.script.push(sendJson([{ page: 1, pages: 1, per_page: '400', total: rows.length }, rows]));
    return (await scene.adapter.readMembers?.(openClient()))?.values;
  };
  assert.deepEqual(await read('USA', 'ALL', 'A;B', 'FRA'), [
    { value: 'USA', label: 'USA' },
    { value: 'FRA', label: 'FRA' },
  ]);
  await assert.rejects(read('USA', 'USA'), { fault: 'MALFORMED' });
  await assert.rejects(read('ALL'), { fault: 'MALFORMED' });
});
