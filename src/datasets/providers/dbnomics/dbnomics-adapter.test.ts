import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdapterScene } from '../../../../test/support/datasets/adapter-scene.ts';
import { createDbnomicsScene } from '../../../../test/support/datasets/dbnomics-scene.ts';
import { sendJson } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import { buildRows } from '../build-rows.ts';

const openHttp = (): ProviderClient =>
  createProviderClient({ provider: 'dbnomics', gate: null, sleep: async () => {} });
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';
const dateOf = (timestamp: number) => new Date(timestamp).toISOString().slice(0, 10);

test('reads the rows, flags and frequency of every series of the scene', async () => {
  await using scene = await createDbnomicsScene();
  for (const { selection, frequency, rows, flags = {} } of scene.series) {
    const series = await scene.adapter.readSeries(selection, openHttp());
    assert.deepEqual(series?.frequency, { frequency });
    const built = buildRows('dbnomics', frequency, series.observations);
    const dates = [...built.table.timestamps].map(dateOf);
    assert.deepEqual(
      dates.map((date, row) => [date, built.table.columns.value?.[row]]),
      rows,
    );
    const marked = dates.flatMap((date, row) => (built.flags[row] === undefined ? [] : [[date, built.flags[row]]]));
    assert.deepEqual(Object.fromEntries(marked), flags);
  }
  for (const { selection, name } of scene.unsupported) {
    const series = await scene.adapter.readSeries(selection, openHttp());
    assert.deepEqual(series?.frequency, { unsupported: name });
  }
});

test('requests one value of each dimension, and states the title, the multiplier and the meaning of flags', async () => {
  await using scene = await createDbnomicsScene();
  const [{ selection }] = scene.series as [AdapterScene['series'][0]];
  const series = await scene.adapter.readSeries(selection, openHttp());
  assert.deepEqual(
    scene.server.requests.map(({ path, query }) => [path, query]),
    [
      [
        '/v22/series/ECB/ICP',
        {
          dimensions: '{"FREQ":["M"],"REF_AREA":["FR"],"UNIT_MEASURE":["IX"],"ADJUSTMENT":["N"]}',
          observations: '1',
          limit: '2',
        },
      ],
    ],
  );
  assert.deepEqual(series?.details, {
    title: 'Prices – M – FR',
    lastUpdate: '2026-10-06T04:11:52.318Z',
    multiplier: 1,
  });
  assert.deepEqual(series?.flagLabels, {
    E: 'Estimated value',
    P: 'Provisional value',
    PE: 'Provisional value; Estimated value',
  });
});

test('returns null for ids and selections that do not exist, and for masks', async () => {
  await using scene = await createDbnomicsScene();
  const ids = ['NONE/ICP', scene.unknownId, 'ECB/ICP/M.XX.IX.N', 'ECB/ICP/M.FR+U2', 'ECB/ICP/M.FR', 'ECB/ICP/Q..IX'];
  for (const seriesId of ids) {
    assert.equal(await scene.adapter.readStructure(seriesId, openHttp()), null, seriesId);
    assert.equal(await scene.adapter.readSeries({ seriesId, dimensions: {} }, openHttp()), null, seriesId);
  }
  assert.ok(scene.emptySelection);
  assert.equal(await scene.adapter.readSeries(scene.emptySelection, openHttp()), null);
  // No dimension tells the two series of this data set apart.
  assert.equal(await scene.adapter.readStructure('ECB/LOOSE', openHttp()), null);
  assert.equal(await scene.adapter.readStructure('ECB/WEO:2024-10', openHttp()), null);
});

test('sends no request for an id that is not one of DBnomics', async () => {
  await using scene = await createDbnomicsScene();
  const ids = [
    '',
    'GDP',
    'ECB/',
    '/ICP',
    'ECB//x',
    'ECB/..',
    '../x/y',
    'ECB/ICP/.',
    'ECB/ICP/',
    ' ECB/ICP',
    'ECB/I\nP',
  ];
  for (const seriesId of [...ids, `ECB/${'x'.repeat(253)}`, 'ECB/\ud800']) {
    assert.equal(await scene.adapter.readStructure(seriesId, openHttp()), null);
    assert.equal(await scene.adapter.readSeries({ seriesId, dimensions: {} }, openHttp()), null);
  }
  assert.deepEqual(scene.server.requests, []);
});

test('accepts the release that stands for the latest one', async () => {
  await using scene = await createDbnomicsScene();
  const series = await scene.adapter.readSeries(
    { seriesId: 'ECB/WEO:latest/DNK.1.0.0.0.ZUTN', dimensions: {} },
    openHttp(),
  );
  assert.equal(series?.observations.length, 5);
});

test('picks none of several series with the same dimensions', async () => {
  await using scene = await createDbnomicsScene();
  const dimensions = { indicator: 'claims' };
  const selections = [
    { seriesId: 'STATES/claims', dimensions },
    { seriesId: 'ECB/LOOSE', dimensions: {} },
  ];
  for (const selection of selections) {
    await assert.rejects(scene.adapter.readSeries(selection, openHttp()), isMalformed);
  }
});

type Doc = Record<string, unknown>;
type SeriesReply = { series: { docs: Doc[]; num_found: unknown }; dataset: Doc; errors: unknown };

const CHANGES: readonly (readonly [name: string, (reply: SeriesReply, doc: Doc) => void])[] = [
  ['another frequency', (_, doc) => (doc['@frequency'] = 'annual')],
  ['an unknown frequency', (_, doc) => (doc['@frequency'] = 'hourly')],
  ['a series of another country', (_, doc) => ((doc.dimensions as Doc).REF_AREA = 'DE')],
  ['a series without dimensions', (_, doc) => (doc.dimensions = null)],
  ['another data set', (_, doc) => (doc.dataset_code = 'ICP2')],
  ['another publisher', (_, doc) => (doc.provider_code = 'IMF')],
  ['labels of another data set', ({ dataset }) => (dataset.code = 'ICP2')],
  ['a second series', ({ series }, doc) => series.docs.push({ ...doc })],
  ['no series although one was found', ({ series }) => (series.docs = [])],
  ['errors', (reply) => (reply.errors = [{ message: 'Could not load series' }])],
  ['fewer values than periods', (_, doc) => (doc.value as unknown[]).pop()],
  ['more values than periods', (_, doc) => (doc.value as unknown[]).push(1)],
  ['more first days than periods', (_, doc) => (doc.period_start_day as unknown[]).push('2025-03-01')],
  ['fewer first days than periods', (_, doc) => (doc.period_start_day as unknown[]).pop()],
  ['another first day', (_, doc) => ((doc.period_start_day as unknown[])[3] = '2024-03-01')],
  ['no first days but a text', (_, doc) => (doc.period_start_day = 'x')],
  ['a value in quotes', (_, doc) => ((doc.value as unknown[])[0] = '117.4')],
  ['a month 13', (_, doc) => ((doc.period as unknown[])[0] = '2023-13')],
  ['a quarter among months', (_, doc) => ((doc.period as unknown[])[1] = '2023-Q4')],
  ['fewer flags than periods', (_, doc) => (doc.observations_attributes = [['OBS_STATUS', ['P']]])],
  ['attributes that are not a list', (_, doc) => (doc.observations_attributes = { OBS_STATUS: 'P' })],
  ['attributes without names', (_, doc) => (doc.observations_attributes = [[null, []]])],
];

test('refuses a reply that is not about the selection or whose lists do not belong together', async () => {
  await using scene = await createDbnomicsScene();
  const [{ selection }] = scene.series as [AdapterScene['series'][0]];
  await scene.adapter.readSeries(selection, openHttp());
  const [{ path, query }] = scene.server.requests as [(typeof scene.server.requests)[0]];
  const sent = await fetch(`${scene.server.url}${path}?${new URLSearchParams(query)}`);
  const text = await sent.text();
  for (const [name, change] of CHANGES) {
    const reply = JSON.parse(text) as SeriesReply;
    change(reply, reply.series.docs[0] as Doc);
    scene.server.script.push(sendJson(reply));
    await assert.rejects(scene.adapter.readSeries(selection, openHttp()), isMalformed, name);
  }
});

test('accepts a series without first days, frequency and attributes, and refuses more than 100,000 observations', async () => {
  await using scene = await createDbnomicsScene();
  const selection = { seriesId: 'A/B/C', dimensions: {} };
  const doc = { provider_code: 'A', dataset_code: 'B', series_code: 'C', period: ['2024'], value: [1] };
  const send = (change: Doc) =>
    scene.server.script.push(sendJson({ series: { docs: [{ ...doc, ...change }], num_found: 1 } }));
  send({});
  const series = await scene.adapter.readSeries(selection, openHttp());
  assert.deepEqual(series, {
    frequency: { frequency: '1YE' },
    observations: [{ instant: Date.UTC(2024, 0, 1), value: 1, flag: undefined }],
    details: { title: 'C' },
    flagLabels: {},
    footnotes: [],
  });
  const many = Array.from({ length: 100_001 }, (_, index) => String(1000 + (index % 9000)));
  send({ period: [], value: [] });
  const empty = await scene.adapter.readSeries(selection, openHttp());
  assert.deepEqual([empty?.frequency, empty?.observations], [{ unsupported: 'irregular' }, []]);
  send({ period: [], value: [], '@frequency': 'monthly' });
  assert.deepEqual((await scene.adapter.readSeries(selection, openHttp()))?.frequency, { frequency: '1ME' });
  const changes = [{ period: many, value: many.map(() => 1) }, { period: [], value: [1] }, { period: null }];
  for (const change of [...changes, { period: [], value: [], '@frequency': 'hourly' }]) {
    send(change);
    await assert.rejects(scene.adapter.readSeries(selection, openHttp()), isMalformed);
  }
});

test('leaves out flags that are not short texts and states so once', async () => {
  await using scene = await createDbnomicsScene();
  const period = ['2021', '2022', '2023', '2024'];
  const doc = { provider_code: 'A', dataset_code: 'B', series_code: 'C', period, value: [1, 2, 3, 4] };
  const read = async (flags: unknown) => {
    const changed = { ...doc, observations_attributes: [['OBS_STATUS', flags]] };
    scene.server.script.push(sendJson({ series: { docs: [changed], num_found: 1 } }));
    const series = await scene.adapter.readSeries({ seriesId: 'A/B/C', dimensions: {} }, openHttp());
    return [series?.observations.map(({ flag }) => flag), series?.footnotes];
  };
  const [long, leftOut] = ['x'.repeat(64), ['Some flags of the provider are left out.']];
  assert.deepEqual(await read(['p', 7, `${long}x`, long]), [['p', undefined, undefined, long], leftOut]);
  assert.deepEqual(await read(1), [[undefined, undefined, undefined, undefined], leftOut]);
  assert.deepEqual(await read(['A', null, ' e\u0000 ', '']), [[undefined, undefined, 'e', undefined], []]);
});
