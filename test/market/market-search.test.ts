import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { freeze } from '../../src/snapshots/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { type Credentials, withGuest } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

let fixture: TestDatabase;
let api: TestApi;
let guest: Credentials;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, {});
  guest = await withGuest(api.identity);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

function post(path: string, body: object) {
  return api.app.inject({ method: 'POST', url: `/api/v1/market-search${path}`, headers: guest, payload: body });
}

async function postOk(path: string, body: object) {
  const response = await post(path, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

async function postRefused(path: string, body: object): Promise<string> {
  const response = await post(path, body);
  const { ok, error, message } = response.json();
  assert.equal(ok, false);
  return `${response.statusCode} ${error} ${message}`;
}

const INDUSTRY = { type: 'economic_series', provider: 'bundled', series_id: 'us-unemployment-by-industry' };
const CHOSEN = { ...INDUSTRY, value_field: 'rate', dimensions: { industry: 'Construction' } };

test('previews have the order of their sources, and null where nothing can be shown', async () => {
  const cpi = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
  const apple = { type: 'market', symbol: 'AAPL', timeframe: '1D' };
  const sources = [apple, INDUSTRY, { ...cpi, series_id: 'nothing' }, CHOSEN, { ...cpi, value_field: 'x' }, cpi];
  const { previews } = await postOk('/previews', { sources: [...sources, { ...apple, symbol: 'NOPE' }] });
  assert.deepEqual(
    previews.map((preview: { values: number[] } | null) => preview?.values.length ?? null),
    [40, null, null, 40, null, 40, null],
  );
  const { rows } = await postOk('/observations', { source: cpi, limit: 250 });
  assert.deepEqual([previews[5].values[0], previews[5].values[39]], [rows[0].value, rows[249].value]);
});

test('refuses previews of anything but one to twenty markets and economic series', async () => {
  const table = { type: 'warehouse_table', table: 'local.flights', time_field: 'date', value_field: 'delay' };
  const refused: readonly (readonly [object, RegExp])[] = [
    [{}, /sources/],
    [{ sources: [] }, /sources/],
    [{ sources: Array(21).fill(CHOSEN) }, /sources/],
    [{ sources: [table] }, /sources.*type/],
    [{ sources: [{ ...CHOSEN, provider: 'x\u0000' }] }, /sources.*provider/],
    [{ sources: [null, CHOSEN] }, /sources/],
    [{ sources: [CHOSEN], limit: 5 }, /limit/],
  ];
  for (const [body, message] of refused) {
    const refusal = await postRefused('/previews', body);
    assert.match(refusal, /^400 INVALID_REQUEST/);
    assert.match(refusal, message);
  }
});

test('finds series despite typing errors, and every result can be described and read', async () => {
  for (const [query, id] of [
    ['aple', 'AAPL'],
    ['s&p 500', '^GSPC'],
    ['shiler', 'shiller-sp-composite'],
    ['carbon dioxide', 'mauna-loa-co2'],
    ['consumer prices', 'us-cpi'],
  ] as const) {
    const { results } = await postOk('', { query });
    const { symbol, series_id } = results[0].source;
    assert.equal(symbol ?? series_id, id, query);
  }
  const { results } = await postOk('', { query: '', limit: 100 });
  assert.equal(results.length, 41);
  for (const { source, title, units } of results) {
    const described = await postOk('/describe', { source });
    assert.deepEqual([described.title, described.units], [title, units]);
    const dimensions = Object.fromEntries(
      described.dimensions.map(({ field, values }: { field: string; values?: { value: string }[] }) => [
        field,
        values?.[0]?.value,
      ]),
    );
    const chosen =
      source.type !== 'economic_series' ? source : { ...source, dimensions, value_field: described.values[0].field };
    const { count, rows } = await postOk('/observations', { source: chosen });
    assert.ok(count > 10 && rows.length === count, `${title}: ${count} rows`);
  }
});

test('returns every result once when it pages through a type', async () => {
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await postOk('', { query: 'us', types: ['economic_series'], limit: 7, ...(cursor && { cursor }) });
    seen.push(...page.results.map(({ source }: { source: { series_id: string } }) => source.series_id));
    cursor = page.next_cursor;
  }
  assert.ok(seen.length > 20);
  assert.equal(new Set(seen).size, seen.length);
  const { next_cursor: cursor } = await postOk('', { query: 'us', limit: 5 });
  assert.match(await postRefused('', { query: 'uk', limit: 5, cursor }), /^400 INVALID_REQUEST cursor: /);
  assert.match(await postRefused('', { query: 'us', types: ['market'], cursor }), /^400 INVALID_REQUEST cursor: /);
  assert.equal((await postOk('', { query: 'us', limit: 9, cursor })).results.length, 9);
});

test('names the invalid field of a search, and finds nothing for unusual queries', async () => {
  for (const [body, field] of [
    [{}, 'query'],
    [{ query: 5 }, 'query'],
    [{ query: 'x'.repeat(501) }, 'query'],
    [{ query: 'x', limit: 101 }, 'limit'],
    [{ query: 'x', limit: 0 }, 'limit'],
    [{ query: 'x', types: [] }, 'types'],
    [{ query: 'x', types: ['csv'] }, 'types'],
    [{ query: 'x', cursor: 'y' }, 'cursor'],
  ] as const) {
    assert.match(await postRefused('', body), new RegExp(`^400 INVALID_REQUEST ${field}`));
  }
  for (const query of ['zzzzzzzzzz', '((((', '\\', '%', '😀']) {
    assert.deepEqual((await postOk('', { query })).results, [], query);
  }
});

test('describes the choices of a series and its data', async () => {
  const described = await postOk('/describe', { source: INDUSTRY });
  assert.deepEqual(
    [described.frequency, described.reporting_period, described.vintage],
    ['1ME', 'month_end', 'revised'],
  );
  assert.deepEqual(
    described.values.map(({ field }: { field: string }) => field),
    ['rate', 'count'],
  );
  const [dimension] = described.dimensions;
  assert.deepEqual([dimension.field, dimension.required, dimension.values.length], ['industry', true, 14]);
  assert.match(described.license.name, /U\.S\. Government/);
  const bars = await postOk('/describe', { source: { type: 'market', symbol: 'AAPL', timeframe: '1w' } });
  assert.deepEqual([bars.frequency, bars.rows], ['1W-MON', 261]);
  for (const source of [
    { ...INDUSTRY, series_id: 'nope' },
    { ...INDUSTRY, provider: 'nope' },
    { type: 'market', symbol: 'NOPE', timeframe: '1D' },
  ]) {
    assert.match(await postRefused('/describe', { source }), /^404 NOT_FOUND /);
  }
  for (const source of [{}, { type: 'nope' }, { ...INDUSTRY, extra: 1 }, 'AAPL', null, { type: 'economic_series' }]) {
    assert.match(await postRefused('/describe', { source }), /^400 INVALID_REQUEST source/);
  }
});

test('returns observations of one value of each dimension as JSON, and as CSV of the same snapshot', async () => {
  const { rows, snapshot_id, ...rest } = await postOk('/observations', { source: CHOSEN, limit: 2 });
  assert.deepEqual(rest, {
    ok: true,
    provider: 'bundled',
    source: CHOSEN,
    frequency: '1ME',
    value_field: 'rate',
    units: 'percent',
    count: 2,
    truncated: true,
  });
  assert.deepEqual(rows, [
    { timestamp: '2010-01-31T00:00:00.000Z', value: 24.7 },
    { timestamp: '2010-02-28T00:00:00.000Z', value: 27.1 },
  ]);
  const csv = await post('/observations', { source: CHOSEN, format: 'csv', snapshot_id });
  assert.equal(csv.body, 'timestamp,rate\r\n2010-01-31T00:00:00.000Z,24.7\r\n2010-02-28T00:00:00.000Z,27.1\r\n');
  assert.equal(
    csv.headers['content-disposition'],
    'attachment; filename="us-unemployment-by-industry-Construction-rate-1ME.csv"',
  );
  const early = await postOk('/observations', { source: CHOSEN, cutoff: '2000-03-01T00:00:00Z' });
  assert.deepEqual(
    early.rows.map(({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10)),
    ['2000-01-31', '2000-02-29'],
  );
});

test('names a dimension or value that is missing or wrong', async () => {
  const field = (source: object) => postRefused('/observations', { source });
  assert.match(await field(INDUSTRY), /^400 INVALID_REQUEST source\./);
  assert.match(
    await field({ ...CHOSEN, dimensions: {} }),
    /^400 INVALID_REQUEST source\.dimensions\.industry.*Construction/,
  );
  assert.match(
    await field({ ...CHOSEN, dimensions: { industry: 'Gardening' } }),
    /^400 .*source\.dimensions\.industry/,
  );
  assert.match(await field({ ...CHOSEN, dimensions: { ...CHOSEN.dimensions, region: 'x' } }), /^400 .*region/);
  assert.match(
    await field({ ...CHOSEN, value_field: 'nope' }),
    /^400 INVALID_REQUEST source\.value_field: .*"rate", "count"/,
  );
  const { snapshot_id } = await postOk('/observations', { source: CHOSEN });
  const other = { ...CHOSEN, dimensions: { industry: 'Government' } };
  assert.match(
    await postRefused('/observations', { source: other, snapshot_id }),
    /^400 INVALID_REQUEST source\.dimensions: /,
  );
  assert.match(await postRefused('/observations', { source: CHOSEN, snapshot_id, limit: 5 }), /^400 .*snapshot_id: /);
});

test('exports a snapshot of observations for the request that made it, in any accepted spelling', async () => {
  for (const source of [
    { type: 'market', symbol: 'spx', timeframe: '1Week' },
    { type: 'market', symbol: 'AAPL', timeframe: '1Month', provider: 'auto', value_field: 'volume' },
    CHOSEN,
  ]) {
    const preview = await postOk('/observations', { source });
    const exported = await postOk('/observations', { source, snapshot_id: preview.snapshot_id });
    assert.deepEqual(exported, preview);
    const csv = await post('/observations', { source, format: 'csv', snapshot_id: preview.snapshot_id });
    assert.equal(csv.headers['x-snapshot-id'], preview.snapshot_id);
    assert.equal(csv.body.split('\r\n').length, preview.count + 2);
  }
});

test('does not return snapshots of bars or private files as observations', async () => {
  const bars = await api.app.inject({
    method: 'POST',
    url: '/api/market-data/stocks/history',
    headers: guest,
    payload: { symbol: 'AAPL', timeframe: '1D' },
  });
  const table = { timestamps: Float64Array.of(0), columns: { value: Float64Array.of(1) } };
  const about = { source: { type: 'workspace_csv' }, kind: 'csv' };
  const secret = await freeze({ database: fixture.database, clock: { now: () => new Date() } }, { about, table });
  for (const snapshot_id of [bars.json().snapshot_id, secret.id]) {
    assert.match(await postRefused('/observations', { source: CHOSEN, snapshot_id }), /^404 NOT_FOUND /);
  }
});
