import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createBigqueryScene,
  describe,
  PROJECT,
  queryOf,
  WEATHER,
} from '../../../../test/support/datasets/bigquery-scene.ts';
import { MAX_READ_BYTES } from '../engine.ts';

const NAME = 'bigquery-public-data.weather.daily';

test('describes a table with one metadata request besides the token, and executes no SQL', async () => {
  await using scene = await createBigqueryScene();
  const table = await describe(scene.engine);
  assert.deepEqual(
    scene.server.requests.map(({ kind, path }) => [kind, path]),
    [
      ['token', '/token'],
      ['table', '/bigquery/v2/projects/bigquery-public-data/datasets/weather/tables/daily'],
    ],
  );
  const { columns, ...facts } = table;
  assert.deepEqual(facts, {
    id: { dataset: 'weather', table: 'daily' },
    name: NAME,
    title: 'daily',
    rows: 6,
    ranges: new Map(),
    lastUpdate: '2024-05-06T07:08:09.000Z',
    publisher: 'Google Cloud public datasets',
    license: { name: 'not stated', url: null },
    notes: null,
    location: 'US',
    bytes: 6 * 8 + 6 * 6 + 5 * 8 + 5 * 16 + 6 * 8 + 5,
    requiresPartitionFilter: false,
  });
  assert.deepEqual(columns[0], {
    name: 'day',
    kind: 'date',
    type: 'DATE',
    isRequired: true,
    description: 'The day.',
  });
  assert.deepEqual(
    columns.map(({ kind, type }) => `${kind} ${type}`),
    ['date DATE', 'text STRING', 'number FLOAT64', 'number NUMERIC', 'integer INT64', 'boolean BOOL'],
  );
});

test('a read sends one dry run and one query with the cap, the location and typed parameters', async () => {
  await using scene = await createBigqueryScene();
  const { server, engine } = scene;
  const table = await describe(engine);
  server.requests.length = 0;
  const query = queryOf(table, {
    from: Date.UTC(2024, 0, 1, 12),
    filters: [
      ['station', 'Oslo', "'; DROP TABLE x; --"],
      ['rain', 0.5, '12.345678901'],
    ],
  });
  const bytes = await engine.dryRun(table, query, {});
  assert.equal(bytes, 6 * 8 + 6 * 6 + 5 * 8 + 5 * 16);
  const rows = await engine.read(table, query, { estimatedBytes: bytes });
  assert.deepEqual([...rows.times], [Date.UTC(2024, 0, 2) * 1_000, Date.UTC(2024, 1, 1) * 1_000]);
  assert.deepEqual([...rows.values], [-6, 2]);

  const sql =
    'SELECT UNIX_DATE(`day`) * 86400000000 AS t, CAST(`temperature` AS FLOAT64) AS v ' +
    'FROM `bigquery-public-data`.`weather`.`daily` WHERE `day` IS NOT NULL AND `temperature` IS NOT NULL ' +
    'AND NOT IS_NAN(`temperature`) AND `day` >= @p0 AND `station` IN (@p1, @p2) AND `rain` IN (@p3, @p4) ORDER BY 1 DESC LIMIT 50000';
  const typed = (name: string, type: string, value: string) => ({
    name,
    parameterType: { type },
    parameterValue: { value },
  });
  const stated = {
    query: sql,
    useLegacySql: false,
    parameterMode: 'NAMED',
    queryParameters: [
      typed('p0', 'DATE', '2024-01-02'),
      typed('p1', 'STRING', 'Oslo'),
      typed('p2', 'STRING', "'; DROP TABLE x; --"),
      typed('p3', 'NUMERIC', '0.5'),
      typed('p4', 'NUMERIC', '12.345678901'),
    ],
    location: 'US',
  };
  const [dryRun, run, ...others] = server.requests;
  assert.deepEqual(
    [dryRun?.path, run?.path, others],
    [`/bigquery/v2/projects/${PROJECT}/queries`, `/bigquery/v2/projects/${PROJECT}/queries`, []],
  );
  assert.deepEqual(dryRun?.body, { ...stated, dryRun: true, useQueryCache: false });
  assert.ok(run);
  const { requestId, ...sent } = run.body as Record<string, unknown>;
  assert.match(String(requestId), /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  assert.deepEqual(sent, {
    ...stated,
    maximumBytesBilled: '104857600',
    timeoutMs: 10_000,
    jobTimeoutMs: '60000',
    maxResults: 25_000,
    useQueryCache: true,
  });
});

test('uses metadata again for one minute', async () => {
  await using scene = await createBigqueryScene();
  const { server, engine, clock } = scene;
  const count = () => server.requests.filter(({ kind }) => kind === 'table').length;
  await describe(engine);
  clock.now += 59_999;
  await describe(engine);
  assert.equal(count(), 1);
  clock.now += 1;
  await describe(engine);
  assert.equal(count(), 2);
  clock.now -= 1_000;
  await describe(engine);
  assert.equal(count(), 3, 'the clock was set back');
});

test('sends nothing for a table of another project or with another name', async () => {
  await using scene = await createBigqueryScene();
  const { engine, server } = scene;
  const table = await describe(engine);
  server.requests.length = 0;
  const refused = [
    ['other-project.weather.daily', 'SOURCE_DENIED'],
    ['bigquery-public-data-2.weather.daily', 'SOURCE_DENIED'],
    ['BIGQUERY-PUBLIC-DATA.weather.daily', 'SOURCE_DENIED'],
    ['', 'INVALID_REQUEST'],
    ['local.daily', 'INVALID_REQUEST'],
  ] as const;
  for (const [name, code] of refused) {
    await assert.rejects(engine.describe(name), { code });
    const forged = { ...table, name };
    await assert.rejects(async () => engine.dryRun(forged, queryOf(table), {}), { code });
    await assert.rejects(async () => engine.read(forged, queryOf(table), { estimatedBytes: 1 }), { code });
  }
  const names = ['a', 'a.b.c', 'a..b', '../x.daily', 'weather.daily`', 'weather.d?x', 'weather.daily/../x', 'w.ü'];
  for (const name of names) {
    await assert.rejects(engine.describe(`bigquery-public-data.${name}`), { code: 'INVALID_REQUEST' });
  }
  assert.deepEqual(server.requests, []);
});

test('returns null for a table that does not exist', async () => {
  await using scene = await createBigqueryScene();
  assert.equal(await scene.engine.describe('bigquery-public-data.weather.hourly'), null);
});

test('reads a result of several pages', async () => {
  const first = Date.UTC(1969, 11, 1);
  const days = Array.from({ length: 100 }, (_, i) => new Date(first + i * 86_400_000).toISOString().slice(0, 10));
  const rows = days.map((day, i) => [day, 'Oslo', i / 7, null, null, null]);
  await using scene = await createBigqueryScene({
    tables: [{ ...WEATHER, rows, location: 'europe-west1' }],
    pageRows: 33,
  });
  const { engine, server } = scene;
  const table = await describe(engine);
  const read = await engine.read(table, queryOf(table), { estimatedBytes: 1 });
  assert.deepEqual(
    [...read.times],
    days.map((day) => Date.parse(day) * 1_000),
  );
  assert.deepEqual(
    [...read.values],
    days.map((_, i) => i / 7),
  );
  const pages = server.requests.filter(({ kind }) => kind === 'results');
  assert.deepEqual(
    pages.map(({ query }) => [query.pageToken, query.location, query.maxResults]),
    [33, 66, 99].map((from) => [`page-${from}`, 'europe-west1', '25000']),
  );
  const limited = await engine.read(table, queryOf(table, { maxRows: 2 }), { estimatedBytes: 1 });
  assert.deepEqual([...limited.values], [98 / 7, 99 / 7], 'the latest rows, oldest first');
});

test('returns no rows if none is selected', async () => {
  await using scene = await createBigqueryScene();
  const table = await describe(scene.engine);
  const query = queryOf(table, { filters: [['station', 'Bern']] });
  const { times, values } = await scene.engine.read(table, query, { estimatedBytes: 1 });
  assert.deepEqual([times.length, values.length], [0, 0]);
});

test('waits for a job that takes longer', async () => {
  await using scene = await createBigqueryScene();
  const { engine, server } = scene;
  const table = await describe(engine);
  server.isHeld = true;
  server.script.results.push(
    (_request, _response, answer) => answer(),
    (_request, _response, answer) => {
      server.isHeld = false;
      answer();
    },
  );
  const rows = await engine.read(table, queryOf(table, { filters: [['station', 'Oslo']] }), { estimatedBytes: 1 });
  assert.deepEqual([...rows.values], [-4.5, -6, 1e-7, 2]);
  const polls = server.requests.filter(({ kind }) => kind === 'results');
  assert.deepEqual(
    polls.map(({ query }) => query.pageToken),
    [undefined, undefined],
  );
});

test('sends the cap of the contract', () => assert.equal(MAX_READ_BYTES, 100 * 1024 * 1024));
