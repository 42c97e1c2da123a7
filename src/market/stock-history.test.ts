import assert from 'node:assert/strict';
import { dailyBars, type MemoryProviderOptions, memoryProvider } from '../../test/support/market/memory-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../test/support/platform/database.ts';
import { FIXED_KEYS } from '../../test/support/platform/fixed-keys.ts';
import { DAY_MS } from '../calendar/index.ts';
import { StockHistoryRequest } from '../contract/index.ts';
import { ProviderError } from '../platform/index.ts';
import { createSnapshotExports, freeze, snapshotMigrations } from '../snapshots/index.ts';
import { createMarket, marketMigrations, readStockHistory, type StockHistory } from './index.ts';

const OPTIONS = { migrations: [snapshotMigrations, marketMigrations] };
const DAYS = dailyBars('2018-01-02', '2024-03-15');

interface Setup {
  readonly now?: string;
  readonly providers?: readonly MemoryProviderOptions[];
}

function marketOver(
  { database }: TestDatabase,
  { now = '2024-03-16T12:00:00Z', providers = [{ rows: DAYS }] }: Setup = {},
) {
  const clock = { now: () => new Date(now) };
  return createMarket({
    database,
    clock,
    exports: createSnapshotExports({ database, clock }),
    cursorKey: FIXED_KEYS,
    providers: providers.map(memoryProvider),
  });
}

type Market = ReturnType<typeof marketOver>;

function request(market: Market, body: object): Promise<StockHistory> {
  return readStockHistory(market, StockHistoryRequest.parse({ symbol: 'XYZ', timeframe: '1D', ...body }));
}

const dates = ({ exported }: StockHistory): string[] =>
  Array.from(exported.snapshot.table.timestamps, (time) => new Date(time).toISOString().slice(0, 10));

forEachDatabase('returns the latest bars, oldest first, and all older ones by cursor', OPTIONS, async (fixture) => {
  const market = marketOver(fixture);
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const history = await request(market, cursor === undefined ? {} : { cursor });
    pages.push(dates(history));
    cursor = history.nextCursor;
  }
  assert.deepEqual(
    pages.map((page) => page.length),
    [500, 500, 500, DAYS.length - 1500],
  );
  const expected = DAYS.map(({ timestamp }) => new Date(Number(timestamp)).toISOString().slice(0, 10));
  assert.deepEqual(pages.reverse().flat(), expected);
});

forEachDatabase('refuses a cursor with any other setting', OPTIONS, async (fixture) => {
  const market = marketOver(fixture);
  const { nextCursor: cursor } = await request(market, {});
  const others = [
    { symbol: 'ABC' },
    { timeframe: '1W-MON' },
    { limit: 1000 },
    { adjustment: 'raw' },
    { session: 'extended' },
    { price_side: 'ask' },
    { source: 'alpaca' },
    { start: '2020-01-01T00:00:00Z' },
    { end: '2023-01-01T00:00:00Z' },
    { cursor: `${cursor?.slice(0, -2)}AA` },
    { cursor: 'nonsense' },
  ];
  for (const other of others) {
    await assert.rejects(request(market, { cursor, ...other }), { code: 'INVALID_REQUEST', message: /^cursor: / });
  }
  // Another spelling of the timeframe and another format are not other settings.
  assert.equal(dates(await request(market, { cursor, timeframe: '1Day', format: 'csv' })).length, 500);
});

forEachDatabase('bounds the starts of bars by start and end', OPTIONS, async (fixture) => {
  const market = marketOver(fixture);
  const history = await request(market, { start: '2024-01-03T00:00:00Z', end: '2024-01-08T00:00:00Z' });
  assert.deepEqual(dates(history), ['2024-01-03', '2024-01-04', '2024-01-05']);
  assert.equal(history.nextCursor, null);
  const empty = await request(market, { start: '2024-01-06T00:00:00Z', end: '2024-01-08T00:00:00Z' });
  assert.deepEqual(dates(empty), []);
  const inverted = { start: '2024-01-03T00:00:00Z', end: '2024-01-03T00:00:00Z' };
  await assert.rejects(request(market, inverted), { code: 'INVALID_REQUEST', message: /^end: / });
  const [first, last] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  for (const timeframe of ['1D', '1w', '1Month']) {
    assert.ok(dates(await request(market, { timeframe, start: first, end: last })).length > 70);
    const edge = { timeframe, start: first, end: '1800-01-01T00:00:00Z' };
    assert.deepEqual(dates(await request(market, edge)), []);
    assert.deepEqual(dates(await request(market, { timeframe, end: first })), []);
    assert.deepEqual(dates(await request(market, { timeframe, start: last })), []);
  }
});

forEachDatabase('drops a bar that is not complete', OPTIONS, async (fixture) => {
  // Friday, 2024-03-15, closes at 20:00Z.
  const during = await request(marketOver(fixture, { now: '2024-03-15T19:59:59Z' }), {});
  assert.equal(dates(during).at(-1), '2024-03-14');
  assert.deepEqual(during.dropped, { not_completed: 1 });
  const after = await request(marketOver(fixture, { now: '2024-03-15T20:00:00Z' }), {});
  assert.equal(dates(after).at(-1), '2024-03-15');
  assert.deepEqual(after.dropped, {});
});

forEachDatabase('builds weeks and months from days, up to the last complete one', OPTIONS, async (fixture) => {
  const friday = marketOver(fixture, { now: '2024-03-15T21:00:00Z' });
  assert.equal(dates(await request(friday, { timeframe: '1w' })).at(-1), '2024-03-04');
  const monday = marketOver(fixture, { now: '2024-03-18T00:00:00Z' });
  const weeks = await request(monday, { timeframe: '1w' });
  assert.equal(dates(weeks).at(-1), '2024-03-11');
  const months = await request(monday, { timeframe: '1Month' });
  assert.deepEqual([dates(months).length, dates(months)[0], dates(months).at(-1)], [74, '2018-01-01', '2024-02-01']);
  const [first] = await Promise.all([request(monday, { timeframe: '1Month', start: '2023-11-02T00:00:00Z' })]);
  assert.deepEqual(dates(first), ['2023-12-01', '2024-01-01', '2024-02-01']);
});

forEachDatabase('returns every week once by cursor', OPTIONS, async (fixture) => {
  const rows = dailyBars('1994-01-03', '2024-03-15');
  const market = marketOver(fixture, { providers: [{ rows }] });
  const weeks: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const history = await request(market, { timeframe: '1Week', ...(cursor && { cursor }) });
    weeks.unshift(...dates(history));
    cursor = history.nextCursor;
  }
  const monday = (text: string): number => (Date.parse(text) / DAY_MS + 3) / 7;
  // 2001-09-11 closed the exchange for the rest of its week, but not for all of it.
  weeks.slice(1).forEach((week, i) => {
    assert.equal(monday(week) - monday(weeks[i] as string), 1, week);
  });
  assert.deepEqual([weeks[0], weeks.at(-1)], ['1994-01-03', '2024-03-04']);
});

forEachDatabase('exports a snapshot with the same rows after the provider changed', OPTIONS, async (fixture) => {
  const rows = [...DAYS];
  const market = marketOver(fixture, { providers: [{ rows }] });
  const preview = await request(market, {});
  rows.splice(0, rows.length, ...dailyBars('2024-01-02', '2024-02-01'));
  const { id } = preview.exported.snapshot;
  // Another process has nothing in memory.
  for (const reader of [market, marketOver(fixture, { providers: [{ rows }] })]) {
    const exported = await request(reader, { snapshot_id: id });
    assert.deepEqual(exported.exported.snapshot, preview.exported.snapshot);
    assert.equal(exported.nextCursor, preview.nextCursor);
    assert.deepEqual([exported.provider, exported.fallbackUsed], ['alpaca', false]);
  }
});

forEachDatabase(
  'refuses a snapshot for other settings and hides snapshots of other sources',
  OPTIONS,
  async (fixture) => {
    const market = marketOver(fixture);
    const { id } = (await request(market, {})).exported.snapshot;
    const wrong = [
      [{ symbol: 'ABC' }, /^symbol: /],
      [{ timeframe: '1w' }, /^timeframe: /],
      [{ adjustment: 'all' }, /^adjustment: /],
      [{ session: 'extended' }, /^session: /],
      [{ price_side: 'ask' }, /^price_side: /],
      [{ source: 'bundled' }, /^source: /],
      [{ cursor: 'x' }, /^cursor: /],
    ] as const;
    for (const [other, message] of wrong) {
      await assert.rejects(request(market, { snapshot_id: id, ...other }), { code: 'INVALID_REQUEST', message });
    }
    assert.ok(await request(market, { snapshot_id: id, source: 'provider_a' }));
    const table = { timestamps: Float64Array.of(0), columns: { value: Float64Array.of(1) } };
    const secret = await freeze(market, { about: { source: { type: 'workspace_csv' } }, table });
    for (const gone of [secret.id, 'snap_00000000000000000000000000']) {
      await assert.rejects(request(market, { snapshot_id: gone }), { code: 'NOT_FOUND' });
    }
  },
);

forEachDatabase('reports the provider and whether a preferred one failed', OPTIONS, async (fixture) => {
  const down = { id: 'alpaca', rows: [], fails: () => new ProviderError('alpaca', 'UNAVAILABLE') };
  const withoutSymbol = { id: 'massive', rows: [], fails: () => new ProviderError('massive', 'NOT_FOUND') };
  const market = marketOver(fixture, { providers: [down, withoutSymbol, { id: 'bundled', rows: DAYS }] });
  const { provider, fallbackUsed } = await request(market, {});
  assert.deepEqual([provider, fallbackUsed], ['bundled', true]);
  const named = await request(market, { source: 'bundled' });
  assert.deepEqual([named.provider, named.fallbackUsed], ['bundled', false]);
  await assert.rejects(request(market, { source: 'provider_a' }), {
    code: 'PROVIDER_FAILED',
    message: /alpaca is unavailable/,
  });
  await assert.rejects(request(market, { source: 'massive' }), { code: 'NOT_FOUND' });
  await assert.rejects(request(market, { source: 'dukascopy' }), { code: 'UNPROCESSABLE' });
  await assert.rejects(request(market, { timeframe: '4h' }), { code: 'UNPROCESSABLE', message: /alpaca: .*massive: / });
  const onlyWithoutSymbol = marketOver(fixture, { providers: [withoutSymbol, { ...withoutSymbol, id: 'bundled' }] });
  await assert.rejects(request(onlyWithoutSymbol, {}), { code: 'NOT_FOUND' });
});

forEachDatabase('reads snapshots of earlier releases, which named a side of trades', OPTIONS, async (fixture) => {
  const market = marketOver(fixture, { providers: [{ id: 'bundled', rows: DAYS }] });
  const { exported, priceSide } = await request(market, {});
  const { snapshot } = exported;
  assert.equal(priceSide, 'trade');
  const about = snapshot.about as { readonly source: object };
  assert.ok(!Object.hasOwn(about.source, 'price_side'));
  const earlier = await freeze(market, {
    about: { ...about, source: { ...about.source, price_side: 'bid' } },
    table: snapshot.table,
  });
  for (const body of [{}, { price_side: 'bid' }]) {
    assert.equal((await request(market, { snapshot_id: earlier.id, ...body })).priceSide, 'trade');
  }
  const ask = { snapshot_id: earlier.id, price_side: 'ask' };
  await assert.rejects(request(market, ask), { message: 'price_side: the snapshot has bid, but the request has ask.' });
});
