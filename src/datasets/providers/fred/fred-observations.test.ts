import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFredScene } from '../../../../test/support/datasets/fred-scene.ts';
import { type FredRevision, type FredSeries, startFredServer } from '../../../../test/support/datasets/fred-server.ts';
import { sendAnswer, sendJson } from '../../../../test/support/platform/wire-server.ts';
import { DAY_MS } from '../../../calendar/index.ts';
import { createProviderClient } from '../../../platform/index.ts';
import { buildRows } from '../build-rows.ts';
import type { RawSeries } from '../provider.ts';
import { createFredAdapter } from './fred-adapter.ts';

const KEY = 'abcdefghijklmnopqrstuvwxyz123456';
/** 2024-07-01, 12:00 in Chicago. */
const NOW = Date.UTC(2024, 6, 1, 17);

/** The first quarter was published on 25 April and revised twice; the quarter before was revised on 30 May. */
const REVISIONS: readonly FredRevision[] = [
  { date: '2023-10-01', value: 100, published: '2024-01-25' },
  { date: '2023-10-01', value: 101, published: '2024-05-30' },
  { date: '2024-01-01', value: 110, published: '2024-04-25' },
  { date: '2024-01-01', value: 111, published: '2024-05-30' },
  { date: '2024-01-01', value: 112, published: '2024-06-27' },
];
const REAL_GDP: FredSeries = {
  id: 'GDPC1',
  title: 'Real Gross Domestic Product',
  frequency: 'Q',
  units: 'Billions of Chained 2017 Dollars',
  earlierUnits: [{ units: 'Millions of Chained 2012 Dollars', until: '2024-05-29' }],
  revisions: REVISIONS,
};

async function open(series: FredSeries, pageRows?: number) {
  const settings = { key: KEY, series: [series], clock: () => NOW, ...(pageRows !== undefined && { pageRows }) };
  const server = await startFredServer(settings);
  const adapter = createFredAdapter({ key: KEY, url: server.url, requestsPerMinute: 120 });
  const http = createProviderClient({ provider: 'fred', gate: null, sleep: async () => {} });
  return {
    server,
    read: (vintage?: string) => adapter.readSeries({ seriesId: series.id, dimensions: {}, vintage }, http),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function valuesOf(series: RawSeries | null): Record<string, number> {
  assert.ok(series);
  const rows = series.observations.map(({ instant, value }) => [new Date(instant).toISOString().slice(0, 10), value]);
  return Object.fromEntries(rows);
}

test('reads the current rows, with what the series is', async () => {
  await using fred = await open(REAL_GDP);
  const series = await fred.read();
  assert.deepEqual(valuesOf(series), { '2023-10-01': 101, '2024-01-01': 112 });
  assert.deepEqual(series?.frequency, { frequency: '1QE' });
  assert.deepEqual(series.details, {
    title: 'Real Gross Domestic Product',
    units: 'Billions of Chained 2017 Dollars',
    multiplier: 1e9,
    seasonalAdjustment: 'Not Seasonally Adjusted',
  });
  const [observations, metadata] = fred.server.requests;
  assert.equal(fred.server.requests.length, 2);
  assert.equal(observations?.query.limit, '100000');
  assert.ok(!('realtime_start' in observations.query) && metadata?.path === '/fred/series');
});

test('reads a vintage to the day, with the units that stood then', async () => {
  await using fred = await open(REAL_GDP);
  const cases: readonly (readonly [vintage: string, rows: Record<string, number>])[] = [
    ['2024-01-25', { '2023-10-01': 100 }],
    ['2024-04-24', { '2023-10-01': 100 }],
    ['2024-04-25', { '2023-10-01': 100, '2024-01-01': 110 }],
    ['2024-05-29', { '2023-10-01': 100, '2024-01-01': 110 }],
    ['2024-05-30', { '2023-10-01': 101, '2024-01-01': 111 }],
    ['2024-06-26', { '2023-10-01': 101, '2024-01-01': 111 }],
    ['2024-07-01', { '2023-10-01': 101, '2024-01-01': 112 }],
  ];
  for (const [vintage, rows] of cases) {
    const series = await fred.read(vintage);
    assert.deepEqual(valuesOf(series), rows, vintage);
    assert.equal(series?.details.multiplier, vintage < '2024-05-30' ? 1e6 : 1e9);
    assert.equal(series.details.lastUpdate, null);
  }
  for (const { query } of fred.server.requests) assert.equal(query.realtime_start, query.realtime_end);
});

test('refuses vintages that FRED does not have, instead of returning other rows', async () => {
  await using fred = await open(REAL_GDP);
  for (const vintage of ['2024-01-24', '2024-07-02']) {
    await assert.rejects(fred.read(vintage), { fault: 'REJECTED', message: 'fred rejected the request (HTTP 400).' });
  }
  fred.server.script.push(sendJson({ units: 'lin', count: 0, offset: 0, limit: 100_000, observations: [] }));
  await assert.rejects(fred.read('2024-06-01'), { fault: 'REJECTED' });
  await using current = await open({ ...REAL_GDP, isInAlfred: false });
  await assert.rejects(current.read('2024-06-01'), { fault: 'REJECTED' });
  assert.deepEqual(valuesOf(await current.read()), { '2023-10-01': 101, '2024-01-01': 112 });
});

test('refuses rows and units that did not stand on the date of the vintage', async () => {
  await using fred = await open(REAL_GDP);
  const periods: readonly (readonly [start: unknown, end: unknown])[] = [
    ['2024-06-02', '9999-12-31'],
    ['2024-05-30', '2024-05-31'],
    ['2024-06-01', undefined],
    [undefined, '2024-06-01'],
    ['', '9999-12-31'],
    ['2024-06-01', '~'],
    [20_240_601, 20_240_601],
  ];
  for (const [realtime_start, realtime_end] of periods) {
    const observations = [{ realtime_start, realtime_end, date: '2023-10-01', value: '1' }];
    fred.server.script.push(sendJson({ units: 'lin', count: 1, offset: 0, limit: 100_000, observations }));
    await assert.rejects(fred.read('2024-06-01'), { fault: 'MALFORMED' });
    const series = { realtime_start, realtime_end, id: 'GDPC1', title: 'GDP', frequency_short: 'Q' };
    fred.server.script.push(sendAnswer, sendJson({ seriess: [series] }));
    await assert.rejects(fred.read('2024-06-01'), { fault: 'MALFORMED' });
    assert.equal(fred.server.script.length, 0);
  }
});

/** Returns daily revisions from 2020-01-01 on, all published on one date. */
function dailyRevisions(count: number): FredRevision[] {
  return Array.from({ length: count }, (_, day) => ({
    date: new Date(Date.UTC(2020, 0, 1) + day * DAY_MS).toISOString().slice(0, 10),
    value: day,
    published: '2024-06-28',
  }));
}

test('reads every page of a long series', async () => {
  const series = { id: 'DFF', title: 'Federal Funds Effective Rate', frequency: 'D', revisions: dailyRevisions(25) };
  for (const [pageRows, offsets] of [
    [10, ['0', '10', '20']],
    [25, ['0']],
    [24, ['0', '24']],
  ] as const) {
    await using fred = await open(series, pageRows);
    const read = await fred.read();
    assert.deepEqual(
      read?.observations.map(({ value }) => value),
      dailyRevisions(25).map(({ value }) => value),
    );
    const pages = fred.server.requests.filter(({ path }) => path.endsWith('/observations'));
    assert.deepEqual(
      pages.map(({ query }) => query.offset),
      offsets,
    );
  }
});

test('refuses pages that repeat, that are empty or that never end', async () => {
  const series = { id: 'DFF', title: 'Federal Funds Effective Rate', frequency: 'D', revisions: dailyRevisions(25) };
  await using fred = await open(series, 10);
  const page = (dates: readonly string[], count: unknown, offset: unknown, limit: unknown = dates.length) =>
    sendJson({ units: 'lin', count, offset, limit, observations: dates.map((date) => ({ date, value: '1' })) });
  for (const second of [
    page(['2020-01-01', '2020-01-02'], 25, 10),
    page(['2020-01-10', '2020-01-11'], 25, 10),
    page(['2020-01-11'], 26, 10),
    page(['2020-01-11'], 25, 0),
    page(['2020-01-11'], 25, '10'),
    page([], 25, 10),
    page([], 25, 10, 10),
    page(['2020-01-11'], 25, 10, 10),
    page(['2020-01-11'], 25, 10, 100_001),
    page(['2020-01-11'], 25, 10, '1'),
    page(['2020-01-11', '2020-01-12'], 11, 10),
  ]) {
    fred.server.script.push(sendAnswer, second);
    await assert.rejects(fred.read(), { fault: 'MALFORMED' });
    assert.equal(fred.server.script.length, 0);
  }
  for (let day = 0; day < 10; day++) fred.server.script.push(page([`2020-01-${10 + day}`], 100, day));
  await assert.rejects(fred.read(), { fault: 'PAGE_LOOP' });
  assert.equal(fred.server.script.length, 0);
});

test('refuses observations that are not FRED’s', async () => {
  await using fred = await open(REAL_GDP);
  const whole = { units: 'lin', count: 1, offset: 0, limit: 100_000 };
  const send = (change: object, row: object) => {
    const observation = { date: '2023-10-01', value: '1', ...row };
    fred.server.script.push(sendJson({ ...whole, observations: [observation], ...change }));
    return fred.read();
  };
  assert.deepEqual(valuesOf(await send({}, {})), { '2023-10-01': 1 });
  assert.deepEqual(valuesOf(await send({}, { value: '.' })), { '2023-10-01': Number.NaN });
  assert.deepEqual(valuesOf(await send({}, { value: '-3.6300000000' })), { '2023-10-01': -3.63 });
  assert.deepEqual(valuesOf(await send({ count: 0, observations: [] }, {})), {});
  for (const value of [1, null, undefined, '', 'NaN', 'Infinity', '1e999', '1,000', ' 1', '0x10', '1.2.3', '..']) {
    await assert.rejects(send({}, { value }), { fault: 'MALFORMED' }, String(value));
  }
  for (const date of ['2023-02-29', '2023-10', '2023', '2023-Q4', '2023-10-01T00:00:00Z', 20_231_001, null]) {
    await assert.rejects(send({}, { date }), { fault: 'MALFORMED' }, String(date));
  }
  for (const change of [
    { units: 'pch' },
    { units: undefined },
    { count: '1' },
    { count: 1.5 },
    { count: -1 },
    { count: 0 },
    { count: null },
    { offset: 1 },
    { limit: undefined },
    { limit: 0 },
    { limit: 100_001 },
    { count: 2 },
    { observations: {} },
    { observations: [null] },
    { observations: undefined },
  ]) {
    await assert.rejects(send(change, {}), { fault: 'MALFORMED' }, JSON.stringify(change));
  }
});

test('the rows of the scene have the dates and values that its own reader finds', async () => {
  await using scene = await createFredScene();
  const http = createProviderClient({ provider: 'fred', gate: null });
  for (const { selection, frequency, rows } of scene.series) {
    const series = await scene.adapter.readSeries(selection, http);
    assert.ok(series);
    const { table } = buildRows('fred', frequency, series.observations);
    const dates = [...table.timestamps].map((at) => new Date(at).toISOString().slice(0, 10));
    const values = table.columns.value ?? [];
    assert.deepEqual(series.frequency, { frequency });
    assert.deepEqual(
      dates.map((date, i) => [date, values[i]]),
      rows,
    );
  }
  const [first] = scene.series;
  const { path, query } = scene.server.requests[0] ?? { path: '', query: {} };
  const reply = await fetch(`${scene.server.url}${path}?${new URLSearchParams(query)}`);
  assert.deepEqual(scene.readReply(await reply.text()), new Map(first?.rows));
});
