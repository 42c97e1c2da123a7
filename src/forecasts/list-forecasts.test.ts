import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS } from '../../test/support/forecasts/forecast-rows.ts';
import { addListedForecasts, type ListedFields, SETTINGS } from '../../test/support/forecasts/listed-forecasts.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { FIXED_KEYS } from '../../test/support/platform/fixed-keys.ts';
import type { Guest } from '../access/index.ts';
import { FORECAST_SORTS, type ForecastSort, type SourceReference } from '../contract/index.ts';
import { createRandom } from '../engine/numerics/random.ts';
import type { Database } from '../platform/index.ts';
import { listForecasts } from './list-forecasts.ts';
import { nameForecast } from './name-forecast.ts';

const migrations = FORECAST_MIGRATIONS;
const ANNA: Guest = { kind: 'guest', guestId: 'gst_anna' };
const cursorKey = FIXED_KEYS;

type ListRequest = Partial<Parameters<typeof listForecasts>[2]>;

async function readPage(database: Database, request: ListRequest) {
  return listForecasts({ database, cursorKey }, ANNA, { limit: 100, sort: 'created_at', ...request });
}

/** Returns the ids of all pages. */
async function readAll(database: Database, request: ListRequest): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(database, { ...request, cursor });
    ids.push(...page.forecasts.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

const SOURCES: readonly (SourceReference | null)[] = [
  null,
  { type: 'market', symbol: '^GSPC', timeframe: '1D' },
  { type: 'market', symbol: 'aapl', timeframe: '1D', value_field: 'close' },
  { type: 'market', symbol: 'AAPL', timeframe: '1D', value_field: 'volume' },
  { type: 'economic_series', provider: 'bundled', series_id: 'Émissions', value_field: 'co2' },
  { type: 'warehouse_table', table: 'local.sales', time_field: 'day', value_field: 'price' },
  { type: 'workspace_csv', workspace_id: 'ws_1', csv_id: 'csv_1', time_field: 'day', value_field: 'Zinc' },
];
const TITLES = ['Ökonomie', 'ökonomie', 'Z', 'z', '🌱 growth', '100 %', 'AAPL, 5 of them', 'inline rows, 004 x'];

/** Returns forecasts with many equal and many missing keys. Some instants have microseconds. */
function makeForecasts(count: number): ListedFields[] {
  const random = createRandom(27);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random.uniform() * values.length)] as Value;
  return Array.from({ length: count }, () => {
    const finishedAt = pick([
      null,
      '2026-02-01T00:00:00.000001Z',
      '2026-02-01T00:00:00.000002Z',
      '2026-02-02T00:00:00.000000Z',
    ]);
    return {
      owner: ANNA.guestId,
      title: pick([null, null, ...TITLES]),
      source: pick(SOURCES),
      horizon: pick([1, 5, 30, 365]),
      wql: pick([null, 0, 0.1, 1 / 3, 1e-300]),
      createdAt: pick(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-03T00:00:00.000Z']),
      finishedAt,
    };
  });
}

/** Returns the key of a forecast in a sort as a value that `compareKeys` orders; null if it has none. */
function keyOf(sort: ForecastSort, fields: ListedFields): string | number | null {
  const { title = null, source = null, horizon = 3, wql = null, finishedAt = null } = fields;
  switch (sort) {
    case 'created_at':
      return fields.createdAt ?? null;
    case 'finished_at':
      return finishedAt;
    case 'horizon':
      return horizon;
    case 'score':
      return finishedAt === null ? null : wql;
    case 'name': {
      const name = nameForecast({ title, settings: { ...SETTINGS, source, horizon } });
      const padded = name.replace(/, (\d+) days?$/, (_, digits: string) => `, ${digits.padStart(3, '0')}`);
      return (title ?? padded).toLowerCase();
    }
  }
}

function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

forEachDatabase('every sort shows each of 300 forecasts once and in order', { migrations }, async ({ database }) => {
  const fields = makeForecasts(300);
  const ids = await addListedForecasts(database, fields);
  await addListedForecasts(database, [{ owner: 'gst_bert', title: 'A' }]);
  for (const sort of FORECAST_SORTS) {
    for (const order of ['asc', 'desc'] as const) {
      const sign = order === 'asc' ? 1 : -1;
      const expected = ids
        .map((id, i) => ({ id, key: keyOf(sort, fields[i] as ListedFields) }))
        .sort((a, b) => {
          if (a.key === null || b.key === null) {
            if (a.key !== b.key) return a.key === null ? 1 : -1;
            return sign * compareKeys(a.id, b.id);
          }
          return sign * (compareKeys(a.key, b.key) || compareKeys(a.id, b.id));
        })
        .map(({ id }) => id);
      assert.deepEqual(await readAll(database, { sort, order, limit: 75 }), expected, `${sort} ${order}`);
    }
  }
});

forEachDatabase('times are sorted from the latest, everything else ascending', { migrations }, async ({ database }) => {
  await addListedForecasts(database, makeForecasts(20));
  for (const sort of FORECAST_SORTS) {
    const order = sort.endsWith('_at') ? 'desc' : 'asc';
    assert.deepEqual(await readAll(database, { sort }), await readAll(database, { sort, order }), sort);
  }
});

forEachDatabase('a page continues after rows that changed or were removed', { migrations }, async ({ database }) => {
  const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ids = await addListedForecasts(
    database,
    titles.map((title) => ({ owner: ANNA.guestId, title })),
  );
  const first = await readPage(database, { sort: 'name', limit: 2 });
  assert.deepEqual(
    first.forecasts.map(({ title }) => title),
    ['a', 'b'],
  );
  // The row that the cursor names is removed, one that was shown moves back, and a later one moves to the end.
  await sql`DELETE FROM forecast WHERE id = ${ids[1]}`.execute(database.query());
  await sql`UPDATE forecast SET title = 'a0' WHERE id = ${ids[0]}`.execute(database.query());
  await sql`UPDATE forecast SET title = 'z' WHERE id = ${ids[2]}`.execute(database.query());
  await addListedForecasts(database, [
    { owner: ANNA.guestId, title: 'A new one' },
    { owner: ANNA.guestId, title: 'cc' },
  ]);
  const rest = await readPage(database, { sort: 'name', cursor: first.nextCursor ?? '' });
  assert.deepEqual(
    rest.forecasts.map(({ title }) => title),
    ['cc', 'd', 'e', 'f', 'z'],
  );
  assert.equal(rest.nextCursor, null);
});

forEachDatabase('a search finds every word as it is written, in any case', { migrations }, async ({ database }) => {
  const owner = ANNA.guestId;
  const made = {
    percent: { title: '100 % of_sales' },
    slash: { title: 'C:\\temp \'quoted\' "twice"' },
    emoji: { title: '🌱 Growth in ÎLE-DE-FRANCE' },
    index: { source: SOURCES[1] ?? null, slug: 'gspc-1d-30-x7' },
    table: { source: SOURCES[5] ?? null },
    series: { source: SOURCES[4] ?? null },
    file: { source: SOURCES[6] ?? null },
    inline: { slug: 'forecast-q3' },
  } as const;
  const names = Object.keys(made);
  const ids = await addListedForecasts(
    database,
    Object.values(made).map((fields, i) => ({ owner, slug: `plain-${i}`, ...fields })),
  );
  const find = async (q: string) => (await readAll(database, { q })).map((id) => names[ids.indexOf(id)]).sort();
  const cases: readonly [string, readonly string[]][] = [
    ['%', ['percent']],
    ['_', ['percent']],
    ['\\', ['slash']],
    ["'", ['slash']],
    ['"TWICE"', ['slash']],
    ['🌱', ['emoji']],
    ['île growth', ['emoji']],
    ['growth %', []],
    ['^gspc', ['index']],
    ['X7', ['index']],
    ['LOCAL.SALES price', ['table']],
    ['émissions', ['series']],
    ['co2', ['series']],
    ['zinc', ['file']],
    ['market', []],
    ['forecast', ['inline']],
    ['sales', ['percent', 'table']],
    ["' OR 1=1 --", []],
    ['x'.repeat(200), []],
    [Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join(' '), []],
    ['  \t\n ', [...names].sort()],
    ['', [...names].sort()],
  ];
  for (const [q, expected] of cases) assert.deepEqual(await find(q), expected, JSON.stringify(q));
  const { forecasts } = await readPage(database, { limit: 100 });
  for (const row of forecasts) {
    assert.ok((await readAll(database, { q: nameForecast(row) })).includes(row.id), nameForecast(row));
  }
});

forEachDatabase('filters select by source, model and status', { migrations }, async ({ database }) => {
  const owner = ANNA.guestId;
  const ids = await addListedForecasts(database, [
    ...SOURCES.map((source) => ({ owner, source })),
    { owner, models: ['seasonal_naive'], finishedAt: '2026-02-01T00:00:00Z' },
    { owner, status: 'failed' },
  ]);
  const find = async (request: ListRequest) =>
    (await readAll(database, request)).map((id) => ids.indexOf(id)).sort((a, b) => a - b);
  const cases: readonly [ListRequest, readonly number[]][] = [
    [{ source: 'inline' }, [0, 7, 8]],
    [{ source: 'Market' }, [1, 2, 3]],
    [{ source: 'AAPL' }, [2, 3]],
    [{ source: 'AAP' }, []],
    [{ source: 'émissions' }, [4]],
    [{ source: 'local.sales' }, [5]],
    [{ source: 'price' }, []],
    [{ source: 'workspace_csv' }, [6]],
    [{ source: '%' }, []],
    [{ model: 'seasonal_naive' }, [7]],
    [{ model: 'seasonal' }, []],
    [{ model: 'ets', source: 'inline', q: 'forecast' }, []],
    [{ model: 'ets', source: 'inline', status: 'failed' }, [8]],
    [{ status: 'completed' }, [7]],
  ];
  for (const [request, expected] of cases) assert.deepEqual(await find(request), expected, JSON.stringify(request));
});

forEachDatabase('a cursor is refused in every other list', { migrations }, async ({ database }) => {
  await addListedForecasts(database, makeForecasts(4));
  const own: ListRequest = { sort: 'horizon', limit: 1 };
  const { nextCursor } = await readPage(database, own);
  const cursor = nextCursor ?? '';
  assert.equal((await readPage(database, { ...own, order: 'asc', q: ' ', limit: 2, cursor })).forecasts.length, 2);
  const others: readonly ListRequest[] = [
    { sort: 'created_at' },
    { sort: 'score' },
    { order: 'desc' },
    { q: 'a' },
    { source: 'inline' },
    { model: 'ets' },
    { status: 'queued' },
    { cursor: `${cursor}x` },
    { cursor: 'x' },
  ];
  for (const other of others) {
    await assert.rejects(readPage(database, { ...own, cursor, ...other }), {
      code: 'INVALID_REQUEST',
      message: /^cursor: belongs to another list/,
    });
  }
});
