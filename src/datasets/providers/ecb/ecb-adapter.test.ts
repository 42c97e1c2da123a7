import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ECB_FLOWS, ECB_SERIES } from '../../../../test/support/datasets/ecb-data.ts';
import { createEcbScene } from '../../../../test/support/datasets/ecb-scene.ts';
import { ECB_PATH, type EcbSeries, startEcbServer } from '../../../../test/support/datasets/ecb-server.ts';
import { sendAnswer, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient, ProviderError } from '../../../platform/index.ts';
import type { ListedEntry, SeriesStructure } from '../provider.ts';
import { createEcbAdapter } from './ecb-adapter.ts';

const openClient = () => createProviderClient({ provider: 'ecb', gate: null, sleep: async () => {} });
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';
const WHOLE = { seriesId: 'EXR/D.USD.EUR.SP00.A', dimensions: {} };

/** Starts a server with one series and returns a function that reads it. */
async function startSeries(series: Partial<EcbSeries>) {
  const [first] = ECB_SERIES as [EcbSeries];
  const server = await startEcbServer({ flows: ECB_FLOWS, series: [{ ...first, ...series }] });
  const adapter = createEcbAdapter({ url: `${server.url}${ECB_PATH}`, requestsPerMinute: 60 });
  return {
    read: () => adapter.readSeries(WHOLE, openClient()),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('reads the structure of a data flow, whose data structure has another id', async () => {
  await using scene = await createEcbScene();
  const structure = (await scene.adapter.readStructure('EXR', openClient())) as SeriesStructure;
  assert.deepEqual(
    scene.server.requests.map(({ path, query, headers }) => [path, query, headers.accept]),
    [
      ['/service/dataflow/ECB/EXR', {}, 'application/vnd.sdmx.structure+xml;version=2.1'],
      [
        '/service/datastructure/ECB/ECB_EXR1/1.0',
        { references: 'children' },
        'application/vnd.sdmx.structure+xml;version=2.1',
      ],
    ],
  );
  assert.equal(structure.title, 'Exchange Rates');
  assert.equal(structure.publisher, 'European Central Bank');
  assert.deepEqual(
    structure.dimensions.map(({ field, label, values }) => [field, label, values.length]),
    [
      ['FREQ', 'Frequency', 10],
      ['CURRENCY', 'Currency', 3],
      ['CURRENCY_DENOM', 'Currency denominator', 3],
      ['EXR_TYPE', 'Exchange rate type', 2],
      ['EXR_SUFFIX', 'Series variation - EXR context', 2],
    ],
  );
  assert.deepEqual(structure.dimensions[1]?.values[2], { value: 'USD', label: 'US dollar' });
  assert.ok('byValue' in structure.frequency);
  const { D, B, H, S, N, E } = structure.frequency.byValue;
  assert.deepEqual([D, B, H], [{ frequency: '1D' }, { frequency: '1D' }, { unsupported: 'half-yearly' }]);
  assert.deepEqual([S, N, E], [H, { unsupported: 'minutely' }, { unsupported: 'irregular' }]);
  assert.equal(structure.unitsDimension, undefined, 'the unit is an attribute of the data');
  assert.equal(structure.seasonalDimension, undefined);
});

test('takes units and the seasonal adjustment from dimensions where the data has no such attribute', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const structure = await adapter.readStructure('MNA', openClient());
  assert.equal(server.requests[1]?.path, '/service/datastructure/ESTAT/NA_MAIN/1.0');
  assert.deepEqual([structure?.unitsDimension, structure?.seasonalDimension], ['UNIT_MEASURE', 'ADJUSTMENT']);
  const dimensions = { FREQ: 'Q', ADJUSTMENT: 'Y', REF_AREA: 'U2', UNIT_MEASURE: 'EUR' };
  const series = await adapter.readSeries({ seriesId: 'MNA', dimensions }, openClient());
  assert.deepEqual(series?.details, { title: 'Gross domestic product', multiplier: 1_000_000 });
});

test('describes a whole key by its last observation', async () => {
  await using scene = await createEcbScene();
  const structure = await scene.adapter.readStructure('ICP/M.U2.N.000000.4.ANR', openClient());
  assert.deepEqual(structure, {
    title: 'HICP - Overall index',
    units: 'Percentage change',
    multiplier: 1,
    seasonalAdjustment: 'Neither seasonally nor working day adjusted',
    publisher: 'European Central Bank',
    lastUpdate: null,
    notes: null,
    dimensions: [],
    frequency: { frequency: '1ME' },
    span: null,
    firstVintage: null,
  });
  const [request] = scene.server.requests;
  assert.equal(request?.path, '/service/data/ICP/M.U2.N.000000.4.ANR');
  assert.deepEqual(request?.query, { format: 'csvdata', lastNObservations: '1' });
});

test('reads details, flags and comments of the data', async () => {
  await using scene = await createEcbScene();
  const series = await scene.adapter.readSeries(WHOLE, openClient());
  assert.deepEqual(series?.details, {
    title: 'ECB reference exchange rate, US dollar/Euro, 2.15 pm (C.E.T.)',
    units: 'USD',
    multiplier: 1,
  });
  const flags = series?.observations.map(({ flag = '' }) => flag);
  assert.deepEqual(flags, ['', '', 'H', '', 'E', '', '', '', '', '', 'H', '']);
  assert.deepEqual(series?.flagLabels, { E: 'Estimated value', H: 'Missing value; holiday or weekend' });
  assert.deepEqual(series?.footnotes, ['Provisional reading, see the "notes" of the release']);
  assert.deepEqual(scene.server.requests[0]?.query, { format: 'csvdata' });
});

test('lists the data flows with the words of their ids', async () => {
  await using scene = await createEcbScene();
  const entries: ListedEntry[] = [];
  for await (const batch of scene.adapter.readListing(openClient())) entries.push(...batch);
  assert.deepEqual(
    entries.map(({ seriesId, title, keywords }) => [seriesId, title, keywords.join(' ')]).filter((_, i) => i % 4 === 1),
    [
      ['ICP', 'Indices of Consumer prices & "HICP"', 'ICP'],
      ['JDF_EXR_HCI', 'Competitiveness indicators', 'JDF EXR HCI'],
    ],
  );
  assert.equal(entries.length, ECB_FLOWS.length);
  scene.server.script.push(sendText('<m:Structure><m:Structures/></m:Structure>'));
  await assert.rejects(async () => {
    for await (const batch of scene.adapter.readListing(openClient())) assert.fail(`${batch.length} entries`);
  }, isMalformed);
});

test('lists the data flows beside one whose id has another form, and accepts a byte order mark', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const xml = await (await fetch(`${server.url}${ECB_PATH}/dataflow/ECB`)).text();
  for (const id of ['icp', 'ALL', 'I CP']) {
    server.script.push(sendText(`\ufeff${xml.replaceAll('id="ICP"', `id="${id}"`).replaceAll('\n', '\r\n')}`));
    const entries: ListedEntry[] = [];
    for await (const batch of adapter.readListing(openClient())) entries.push(...batch);
    const expected = ECB_FLOWS.map((flow) => flow.id).filter((listed) => listed !== 'ICP');
    assert.deepEqual(entries.map(({ seriesId }) => seriesId).sort(), expected.sort(), id);
  }
});

test('does not count a flow whose dimensions have no list of values as a failure of the provider', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const outcomes: unknown[] = [];
  const gate = {
    enter: async () => ({ kind: 'granted', permit: { trial: null, isSuccessNews: false } }) as const,
    leave: async (_permit: unknown, outcome: unknown) => void outcomes.push(outcome),
  };
  const http = createProviderClient({ provider: 'ecb', gate, sleep: async () => {} });
  const reply = async (path: string) => (await fetch(`${server.url}${ECB_PATH}/${path}`)).text();
  const flow = await reply('dataflow/ECB/EXR');
  const structure = await reply('datastructure/ECB/ECB_EXR1/1.0?references=children');
  const text = '<str:TextFormat textType="String" maxLength="8"/>';
  const replies = [
    [sendAnswer, sendText(structure.replace(/<str:Enumeration>.*?<\/str:Enumeration>/s, text))],
    [sendAnswer, sendText(structure.replace(/<str:Code .*?(?=<\/str:Codelist>)/s, ''))],
    [sendText(flow.replace(/<str:Structure>.*?<\/str:Structure>/s, ''))],
  ];
  for (const script of replies) {
    server.script.push(...script);
    await assert.rejects(adapter.readStructure('EXR', http), {
      fault: 'REJECTED',
      message: 'ecb rejected the request (it does not list the values of all dimensions; use the key of a series).',
    });
    assert.deepEqual(server.script, []);
  }
  assert.deepEqual(new Set(outcomes), new Set(['succeeded']));
  assert.equal(outcomes.length, 5);
  assert.notEqual(await adapter.readSeries(WHOLE, http), null);
});

test('requests nothing for an id with wildcards', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  for (const seriesId of ['EXR/D..EUR.SP00.A', 'EXR/D.USD+JPY.EUR.SP00.A', 'EXR/all', 'all']) {
    assert.equal(await adapter.readStructure(seriesId, openClient()), null);
    assert.equal(await adapter.readSeries({ seriesId, dimensions: {} }, openClient()), null);
  }
  assert.equal(await adapter.readSeries({ seriesId: 'EXR', dimensions: {} }, openClient()), null);
  assert.equal(
    await adapter.readSeries({ seriesId: 'EXR', dimensions: { FREQ: 'D', CURRENCY: '' } }, openClient()),
    null,
  );
  assert.deepEqual(server.requests, []);
});

test('returns null for keys that do not exist or do not fit the dimensions', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  for (const seriesId of ['EXR/D.USD.USD.SP00.A', 'EXR/D.USD.EUR.SP00', 'EXR/D', 'EXR/D.USD.EUR.SP00.A.A', 'NONE/D']) {
    assert.equal(await adapter.readStructure(seriesId, openClient()), null, seriesId);
    assert.equal(await adapter.readSeries({ seriesId, dimensions: {} }, openClient()), null, seriesId);
  }
  assert.equal(await adapter.readStructure('NONE', openClient()), null);
  const refused = sendJson({ title: 'Bad Request', status: 400 }, 400);
  server.script.push(refused);
  assert.equal(await adapter.readStructure('EXR/D.USD', openClient()), null);
  server.script.push(refused);
  const { selection } = scene.series[0] as (typeof scene.series)[0];
  const isRejected = (error: unknown) => error instanceof ProviderError && error.fault === 'REJECTED';
  await assert.rejects(adapter.readSeries(selection, openClient()), isRejected, 'the values of dimensions are known');
});

test('reports a data structure that is missing as a failure', async () => {
  await using scene = await createEcbScene();
  scene.server.script.push(sendAnswer, sendJson({ status: 404 }, 404));
  const isNotFound = (error: unknown) => error instanceof ProviderError && error.fault === 'NOT_FOUND';
  await assert.rejects(scene.adapter.readStructure('EXR', openClient()), isNotFound);
});

test('refuses structures other than the requested one', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const read = () => adapter.readStructure('EXR', openClient());
  const reply = async (path: string) => (await fetch(`${server.url}${ECB_PATH}/${path}`)).text();
  const structure = await reply('datastructure/ECB/ECB_EXR1/1.0?references=children');
  const changes: readonly (readonly [string, string])[] = [
    ['id="ECB_EXR1"', 'id="ECB_EXR2"'],
    ['id="CL_EXR_TYPE" isFinal', 'id="CL_OTHER" isFinal'],
    ['id="JPY"', 'id="USD"'],
    ['<str:Dimension id="CURRENCY" ', '<str:Dimension id="7" '],
    ['</mes:Structure>', ''],
  ];
  for (const [from, to] of changes) {
    assert.ok(structure.includes(from), from);
    server.script.push(sendAnswer, sendText(structure.replaceAll(from, to)));
    await assert.rejects(read(), isMalformed, to);
  }
  for (const flow of ['ICP', 'JDF_EXR_HCI']) {
    server.script.push(sendText(await reply(`dataflow/ECB/${flow}`)));
    await assert.rejects(read(), isMalformed, 'another data flow');
  }
  assert.equal((await read())?.dimensions.length, 5);
});

test('refuses data of another series, frequency or unit', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const csv = await (await fetch(`${server.url}${ECB_PATH}/data/EXR/D.USD.EUR.SP00.A?format=csvdata`)).text();
  const changes: Readonly<Record<string, string>> = {
    'another key': csv.replace('EXR.D.USD.EUR.SP00.A,D,USD', 'EXR.D.JPY.EUR.SP00.A,D,USD'),
    'another dimension': csv.replace('A,D,USD,EUR', 'A,D,JPY,EUR'),
    'another frequency': csv.replaceAll('A,D,USD,EUR', 'A,A,USD,EUR'),
    'a period of another frequency': csv.replace('2024-01-02', '2024-01'),
    'a period that does not exist': csv.replace('2024-02-29', '2024-02-30'),
    'a value that is not a number': csv.replace('1.0826', '1,0826'),
    'a value that is a word': csv.replace('1.0826', '-'),
    'an infinite value': csv.replace('1.0826', '1e999'),
    'a status that is not a code': csv.replace('1.0919,E,', '1.0919,E?,'),
    'another unit in one row': csv.replace('USD,0\r\n', 'JPY,0\r\n'),
    'another multiplier in one row': csv.replace('USD,0\r\n', 'USD,3\r\n'),
    'a multiplier that is not a power': csv.replaceAll('USD,0\r\n', 'USD,1.5\r\n'),
    'a unit that is not a code': csv.replaceAll('USD,0\r\n', 'US $,0\r\n'),
    'no values': csv.replace('OBS_VALUE', 'OBS_VALUES'),
    'two columns with one name': csv.replace('OBS_COM', 'OBS_CONF'),
    'no keys in the column of keys': csv.replace('KEY', 'X').replace('BREAKS', 'KEY'),
    'no rows': csv.slice(0, csv.indexOf('\r\n') + 2),
    'a cut row': csv.slice(0, -10),
    'a long value': csv.replace('1.0826', `1.${'0'.repeat(2_000)}`),
    nothing: '',
  };
  for (const [name, text] of Object.entries(changes)) {
    assert.notEqual(text, csv, name);
    for (const selection of [WHOLE, scene.series[0]?.selection ?? WHOLE]) {
      server.script.push(sendText(text), sendText(text));
      await assert.rejects(adapter.readSeries(selection, openClient()), isMalformed, name);
      server.script.length = 0;
    }
  }
});

test('cuts a long title, and accepts long attributes and a byte order mark', async () => {
  await using scene = await createEcbScene();
  const { adapter, server } = scene;
  const csv = await (await fetch(`${server.url}${ECB_PATH}/data/EXR/D.USD.EUR.SP00.A?format=csvdata`)).text();
  const title = 'ECB reference exchange rate, US dollar/Euro, 2.15 pm (C.E.T.)';
  assert.ok(csv.includes(title));
  server.script.push(sendText(`\ufeff${csv.replaceAll(title, 'x\u0007'.repeat(5_000))}`));
  const series = await adapter.readSeries(WHOLE, openClient());
  assert.equal(series?.details.title, 'x '.repeat(1_000).trim());
  assert.equal(series?.observations.length, 12);
  await using long = await startSeries({ attributes: { COMPILATION: 'x'.repeat(50_000) } });
  assert.equal((await long.read())?.observations.length, 12);
});

test('reads the multiplier of each power of ten as the nearest number', async () => {
  for (const [power, multiplier] of [
    ['-5', 0.00001],
    ['-2', 0.01],
    ['3', 1_000],
    ['23', 1e23],
  ] as const) {
    await using series = await startSeries({ attributes: { UNIT_MULT: power } });
    assert.deepEqual((await series.read())?.details, { multiplier });
  }
});
