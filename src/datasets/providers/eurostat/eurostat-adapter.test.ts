import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEurostatScene } from '../../../../test/support/datasets/eurostat-scene.ts';
import type { EurostatDataSet } from '../../../../test/support/datasets/eurostat-server.ts';
import {
  FRANCE,
  hasFault,
  openClient,
  RATE,
  startUnemployment,
  type UnemploymentScene,
} from '../../../../test/support/datasets/eurostat-unemployment.ts';
import { sendJson } from '../../../../test/support/platform/wire-server.ts';
import { buildRows } from '../build-rows.ts';
import type { ListedEntry, Selection } from '../provider.ts';

async function readListing({ adapter }: UnemploymentScene): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  for await (const batch of adapter.readListing(openClient())) listed.push(...batch);
  return listed;
}

test('reads the rows of every series of the scene', async () => {
  await using scene = await createEurostatScene();
  for (const { selection, frequency, rows, flags = {} } of scene.series) {
    const series = await scene.adapter.readSeries(selection, openClient());
    assert.ok(series !== null && 'frequency' in series.frequency);
    assert.equal(series.frequency.frequency, frequency);
    assert.deepEqual(series.footnotes, []);
    const built = buildRows('eurostat', frequency, series.observations);
    const dates = [...built.table.timestamps].map((at) => new Date(at).toISOString().slice(0, 10));
    assert.deepEqual(
      dates,
      rows.map(([date]) => date),
      selection.seriesId,
    );
    assert.deepEqual(
      [...(built.table.columns.value ?? [])],
      rows.map(([, value]) => value),
    );
    const found = dates.flatMap((date, i) => (built.flags[i] === undefined ? [] : [[date, built.flags[i]]]));
    assert.deepEqual(Object.fromEntries(found), flags);
  }
  for (const { selection, name } of scene.unsupported) {
    const series = await scene.adapter.readSeries(selection, openClient());
    assert.deepEqual(series?.frequency, { unsupported: name });
  }
  assert.equal(await scene.adapter.readSeries(scene.emptySelection as Selection, openClient()), null);
});

test('describes a data set by a request without cells', async () => {
  await using scene = await startUnemployment({ maxCells: 0 });
  const structure = await scene.adapter.readStructure('une_rt_q', openClient());
  assert.deepEqual(structure, {
    title: 'Unemployment by sex and age - quarterly data',
    units: '',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: 'Eurostat',
    lastUpdate: '2024-06-13T21:00:00.000Z',
    notes: null,
    dimensions: RATE.dimensions.map(({ id, label, values }) => ({
      field: id,
      label,
      values: Object.entries(values).map(([value, text]) => ({ value, label: text })),
    })),
    frequency: { dimension: 'freq', byValue: { Q: { frequency: '1QE' } } },
    unitsDimension: 'unit',
    seasonalDimension: 's_adj',
    span: { first: Date.UTC(2023, 6), last: Date.UTC(2024, 0) },
    firstVintage: null,
  });
  assert.deepEqual(
    scene.server.requests.map(({ query }) => query),
    [{ format: 'JSON', lang: 'EN', time_period: 'null' }],
  );
});

test('describes a whole key with the labels of its values', async () => {
  await using scene = await startUnemployment();
  const structure = await scene.adapter.readStructure('une_rt_q/Q.NSA.Y_LT25.PC_ACT.EA20', openClient());
  assert.deepEqual(structure?.dimensions, []);
  assert.deepEqual(structure?.frequency, { frequency: '1QE' });
  assert.equal(structure?.units, 'Percentage of population in the labour force');
  assert.equal(structure?.seasonalAdjustment, 'Unadjusted data');
  assert.equal(structure?.unitsDimension, undefined);
  assert.equal(
    structure?.title,
    'Unemployment by sex and age - quarterly data: Quarterly, Unadjusted data, Less than 25 years, Percentage of population in the labour force, Euro area',
  );
});

test('reads the last period if Eurostat refuses the request without cells, and lists no incomplete dimensions', async () => {
  await using scene = await startUnemployment({ refusesUnknownPeriods: true });
  const structure = await scene.adapter.readStructure('une_rt_q', openClient());
  assert.equal(structure?.dimensions.length, 5);
  assert.deepEqual(
    scene.server.requests.map(({ query }) => query.lastTimePeriod),
    [undefined, '1'],
  );

  await using large = await startUnemployment({ refusesUnknownPeriods: true, maxCells: 7 });
  await assert.rejects(large.adapter.readStructure('une_rt_q', openClient()), hasFault('TOO_LARGE'));

  const noResults = sendJson({ error: [{ status: 200, id: 100, label: 'NO_RESULTS' }] });
  const dimension = { age: { category: { index: {} } }, time: { category: { index: { '2024': 0 } } } };
  const cube = { class: 'dataset', label: 'x', id: ['age', 'time'], size: [0, 1], dimension, value: {} };
  scene.server.script.push(noResults, sendJson(cube));
  await assert.rejects(scene.adapter.readStructure('une_rt_q', openClient()), hasFault('MALFORMED'));
  scene.server.script.push(sendJson(cube));
  assert.equal((await scene.adapter.readStructure('une_rt_q', openClient()))?.dimensions.length, 5);
});

test('returns null for ids and keys that do not exist, without a request where the text cannot be an id', async () => {
  await using scene = await startUnemployment();
  const { adapter, server } = scene;
  assert.equal(await adapter.readStructure('une_rt_x', openClient()), null);
  assert.equal(await adapter.readSeries({ ...FRANCE, seriesId: 'une_rt_x' }, openClient()), null);
  for (const key of [
    'Q.SA.Y15-74.PC_ACT',
    'Q.SA.Y15-74.PC_ACT.XX',
    'Q.SA.Y15-74.PC_ACT.fr',
    'Q.SA.Y15-74.PC_ACT.FR.FR',
  ]) {
    assert.equal(await adapter.readStructure(`une_rt_q/${key}`, openClient()), null, key);
    assert.equal(await adapter.readSeries({ seriesId: `une_rt_q/${key}`, dimensions: {} }, openClient()), null, key);
  }
  server.requests.length = 0;
  const ids = ['', 'UNE_RT_Q', '../toc', 'a b', 'une_rt_q/', 'une_rt_q/Q..FR', 'une_rt_q/Q/FR', 'ds-045409', 'é'];
  for (const seriesId of [...ids, `une_rt_q/${'A.'.repeat(130)}A`, 'une_rt_q?geo=FR', 'une_rt_q/Q+A.FR']) {
    assert.equal(await adapter.readStructure(seriesId, openClient()), null, seriesId);
    assert.equal(await adapter.readSeries({ ...FRANCE, seriesId }, openClient()), null, seriesId);
  }
  assert.equal(await adapter.readSeries({ seriesId: 'une_rt_q', dimensions: {} }, openClient()), null);
  assert.deepEqual(server.requests, []);
});

test('refuses structures whose dimensions cannot be parameters of a request', async () => {
  await using scene = await startUnemployment();
  for (const names of [['geo', 'GEO'], ['geo', 'geo'], ['Format'], ['untilTimePeriod'], ['a&b'], ['']]) {
    const time = { category: { index: {} } };
    const dimension = Object.fromEntries(names.map((name) => [name, { category: { index: ['FR'] } }]));
    const id = [...names, 'time'];
    const cube = {
      class: 'dataset',
      label: 'x',
      id,
      size: [...names.map(() => 1), 0],
      dimension: { ...dimension, time },
    };
    scene.server.script.push(sendJson(cube));
    await assert.rejects(scene.adapter.readStructure('une_rt_q', openClient()), hasFault('MALFORMED'), names.join());
  }
});

test('states no span that ends before it starts, and requests no second reply for an unknown data set', async () => {
  await using scene = await startUnemployment({ dataSets: [{ ...RATE, periods: RATE.periods.toReversed() }] });
  assert.equal((await scene.adapter.readStructure('une_rt_q', openClient()))?.span, null);
  scene.server.requests.length = 0;
  scene.server.script.push(sendJson({ error: [{ status: 404, id: 100, label: 'ERR_NOT_FOUND_4' }] }));
  assert.equal(await scene.adapter.readStructure('une_rt_q', openClient()), null);
  assert.equal(scene.server.requests.length, 1);
});

test('sends values only as values: none of them can add a parameter', async () => {
  await using scene = await startUnemployment();
  const bad = [
    { geo: 'FR&lastTimePeriod=1' },
    { 'geo=FR&time': '2024' },
    { lang: 'DE' },
    { TIME: '2024' },
    { geo: '' },
  ];
  for (const change of bad) {
    const dimensions = { ...FRANCE.dimensions, ...change };
    assert.equal(await scene.adapter.readSeries({ ...FRANCE, dimensions }, openClient()), null);
  }
  assert.equal(scene.server.requests.length, 0);
  await scene.adapter.readSeries(FRANCE, openClient());
  assert.deepEqual(scene.server.requests.at(-1)?.query, { format: 'JSON', lang: 'EN', ...FRANCE.dimensions });
});

test('keeps flags with their labels, the units and the last update of a series', async () => {
  await using scene = await startUnemployment();
  const series = await scene.adapter.readSeries(FRANCE, openClient());
  assert.deepEqual(series, {
    frequency: { frequency: '1QE' },
    observations: [
      { instant: Date.UTC(2023, 6), value: 7.4, flag: undefined },
      { instant: Date.UTC(2023, 9), value: Number.NaN, flag: 'C' },
      { instant: Date.UTC(2024, 0), value: 7.5, flag: 'b' },
    ],
    details: {
      publisher: 'Eurostat',
      units: 'Percentage of population in the labour force',
      seasonalAdjustment: 'Seasonally adjusted data',
      lastUpdate: '2024-06-13T21:00:00.000Z',
    },
    flagLabels: { b: 'break in time series', C: 'confidential' },
    footnotes: [],
  });
});

test('names the frequency of data sets without a dimension for it by their periods', async () => {
  const dimensions = RATE.dimensions.slice(4);
  const cells = { FR: { '2023': 1, '2024': 2 } };
  const yearly: EurostatDataSet = { ...RATE, dimensions, periods: ['2023', '2024'], cells };
  await using scene = await startUnemployment({ dataSets: [yearly] });
  const structure = await scene.adapter.readStructure('une_rt_q', openClient());
  assert.deepEqual(structure?.frequency, { frequency: '1YE' });
  assert.equal(structure?.unitsDimension, undefined);
  assert.deepEqual((await scene.adapter.readStructure('une_rt_q/FR', openClient()))?.frequency, { frequency: '1YE' });
  const series = await scene.adapter.readSeries({ seriesId: 'une_rt_q', dimensions: { geo: 'FR' } }, openClient());
  assert.deepEqual(series?.frequency, { frequency: '1YE' });
  assert.deepEqual(
    series?.observations.map(({ value }) => value),
    [1, 2],
  );
});

test('removes control characters and broken characters from texts, and ignores dates that are none', async () => {
  await using scene = await startUnemployment();
  const label = { FR: 'Fra\u0000nce\n', EA20: '\ud800' };
  const dimension = { geo: { category: { index: ['FR', 'EA20'], label } }, time: { category: { index: [] } } };
  const cube = { class: 'dataset', label: 'A\tB', id: ['geo', 'time'], size: [2, 0], dimension, updated: 'soon' };
  scene.server.script.push(sendJson(cube));
  const structure = await scene.adapter.readStructure('une_rt_q', openClient());
  assert.equal(structure?.title, 'A B');
  assert.equal(structure?.lastUpdate, null);
  assert.equal(structure?.span, null);
  assert.deepEqual(structure?.dimensions[0], {
    field: 'geo',
    label: 'geo',
    values: [
      { value: 'FR', label: 'Fra nce' },
      { value: 'EA20', label: '\ufffd' },
    ],
  });
});

test('lists each data set once with the titles of all its folders', async () => {
  const quoted: EurostatDataSet = { ...RATE, code: 'tec00001', title: 'GDP "real"', type: 'table' };
  const twice: EurostatDataSet = { ...RATE, folders: [['Population', 'Labour'], ['Euro indicators']] };
  const comext: EurostatDataSet = { ...RATE, code: 'DS-045409' };
  await using scene = await startUnemployment({ dataSets: [twice, quoted, comext] });
  const shared = {
    frequency: null,
    units: '',
    span: { first: Date.UTC(2023, 6), last: Date.UTC(2024, 0) },
    lastUpdate: '2024-06-13T00:00:00.000Z',
  };
  assert.deepEqual(await readListing(scene), [
    { ...shared, seriesId: 'une_rt_q', title: RATE.title, keywords: ['Population', 'Labour', 'Euro indicators'] },
    { ...shared, seriesId: 'tec00001', title: 'GDP "real"', keywords: ['General statistics'] },
  ]);
  assert.deepEqual(
    scene.server.requests.map(({ path, query }) => [path, query]),
    [['/catalogue/toc/txt', { lang: 'en' }]],
  );
});
