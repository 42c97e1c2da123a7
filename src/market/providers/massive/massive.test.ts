import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createHistory,
  type HistoryBar,
  parseDay,
  visibleBars,
} from '../../../../test/support/market/market-history.ts';
import { type MassiveServerOptions, startMassiveServer } from '../../../../test/support/market/massive-server.ts';
import { sendJson } from '../../../../test/support/platform/wire-server.ts';
import { DAY_MS, MINUTE_MS } from '../../../calendar/index.ts';
import { createProviderClient } from '../../../platform/index.ts';
import { collectBars } from '../collect-bars.ts';
import type { DaysByDate, ListedInstrument, PageQuery } from '../provider.ts';
import { createMassiveProvider } from './massive-provider.ts';

/** Friday, 2024-03-08, 12:00 in New York. */
const NOON = Date.UTC(2024, 2, 8, 17);
const ACME = createHistory({
  symbol: 'ACME',
  from: '2021-06-01',
  to: '2024-03-08',
  minutesFrom: '2024-03-07',
  splits: [{ date: parseDay('2024-03-01'), ratio: 10 }],
});

interface Scene extends AsyncDisposable {
  readonly server: Awaited<ReturnType<typeof startMassiveServer>>;
  readonly provider: ReturnType<typeof createMassiveProvider>;
  now: number;
  collect(query?: Partial<PageQuery>): ReturnType<typeof collectBars>;
  client(): ReturnType<typeof createProviderClient>;
}

async function start(options: Partial<MassiveServerOptions> = {}): Promise<Scene> {
  const server = await startMassiveServer({ histories: [ACME], clock: () => scene.now, key: 'key', ...options });
  const clock = { now: () => new Date(scene.now) };
  const provider = createMassiveProvider({ key: 'key', url: `${server.url}/`, requestsPerMinute: 500, clock });
  const client = () => createProviderClient({ provider: 'massive', gate: null, random: () => 0 });
  const series = { symbol: 'ACME', frequency: '1min', adjustment: 'raw', side: 'trade', limit: 100 } as const;
  const scene: Scene = {
    server,
    provider,
    now: NOON,
    client,
    collect: (query) =>
      collectBars(provider, { ...series, end: scene.now, ...query }, { http: client(), at: scene.now }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return scene;
}

function bulkOf({ provider }: Scene): DaysByDate {
  assert.equal(provider.bulk?.by, 'date');
  return provider.bulk;
}

async function readListing({ provider, client }: Scene): Promise<ListedInstrument[]> {
  const listed: ListedInstrument[] = [];
  for await (const batch of provider.readListing?.(client()) ?? []) listed.push(...batch);
  return listed;
}

const day = (timestamp: number | undefined) => new Date(timestamp ?? 0).toISOString().slice(0, 10);

test('counts the limit in minutes and never returns a bar that the limit has cut', async () => {
  await using scene = await start({ pageRows: 100 });
  const all = visibleBars(ACME, { step: 30 * MINUTE_MS, adjustment: 'raw', now: NOON });
  const { bars, dropped } = await scene.collect({ frequency: '30min', limit: 30 });
  const expected = all.slice(-30);
  assert.deepEqual(
    [...bars.timestamps],
    expected.map(({ timestamp }) => timestamp),
  );
  assert.deepEqual(
    [...bars.columns.volume],
    expected.map(({ volume }) => volume),
  );
  assert.deepEqual(
    [...bars.columns.open],
    expected.map(({ open }) => open),
  );
  assert.deepEqual(dropped, {});
  assert.equal(scene.server.requests[0]?.query.limit, String(31 * 30));
  await scene.collect({ frequency: '30min', limit: 50_000 });
  assert.equal(scene.server.requests.at(-1)?.query.limit, '50000');
});

test('reads 500 daily bars in one request', async () => {
  await using scene = await start();
  const { bars } = await scene.collect({ frequency: '1D', adjustment: 'split', limit: 500 });
  assert.equal(bars.timestamps.length, 500);
  assert.equal(scene.server.requests.length, 1);
  assert.match(scene.server.requests[0]?.path ?? '', /\/range\/1\/day\/2003-09-10\/2024-03-07$/);
});

test('sends the key only to the configured address, whatever next_url names', async () => {
  await using other = await startMassiveServer({ histories: [ACME] });
  await using scene = await start();
  const reply = (next: unknown, results: unknown[] = []) =>
    sendJson({ ticker: 'ACME', adjusted: false, status: 'OK', resultsCount: results.length, results, next_url: next });
  scene.server.script.push(reply(`${other.url}/v2/aggs/ticker/OTHER/range/1/minute/1/2?cursor=b2xkZXI&apiKey=x`));
  assert.ok((await scene.collect()).bars.timestamps.length > 0);
  assert.equal(other.requests.length, 0);
  const [, second] = scene.server.requests;
  assert.equal(second?.query.cursor, 'b2xkZXI');
  assert.match(second?.path ?? '', /\/ticker\/ACME\/range\/1\/minute\//);
  for (const next of [7, 'nowhere', 'https://api.massive.com/', {}]) {
    scene.server.script.push(reply(next));
    await assert.rejects(scene.collect(), { fault: 'MALFORMED' });
  }
});

test('refuses a reply of another adjustment, status or number of results', async () => {
  await using scene = await start();
  const valid = { ticker: 'ACME', adjusted: false, status: 'OK', resultsCount: 0 };
  scene.server.script.push(sendJson(valid));
  assert.equal((await scene.collect()).bars.timestamps.length, 0);
  for (const change of [
    { adjusted: true },
    { status: 'ERROR' },
    { resultsCount: 3 },
    { results: [{}] },
    { results: {} },
  ]) {
    scene.server.script.push(sendJson({ ...valid, ...change }));
    await assert.rejects(scene.collect(), { fault: 'MALFORMED' }, JSON.stringify(change));
  }
});

test('leaves out the bars that a delayed plan has only in part', async () => {
  await using scene = await start({ plan: 'delayed' });
  const { bars } = await scene.collect();
  assert.equal(bars.timestamps.at(-1), NOON - 17 * MINUTE_MS);
  assert.equal(scene.provider.delayMinutes, 15);
  const halfHours = await scene.collect({ frequency: '30min' });
  assert.equal(halfHours.bars.timestamps.at(-1), Date.UTC(2024, 2, 8, 16));
  const close = Date.UTC(2024, 2, 8, 21);
  scene.now = close + MINUTE_MS;
  assert.equal(day((await scene.collect({ frequency: '1D' })).bars.timestamps.at(-1)), '2024-03-07');
  scene.now = close + 16 * MINUTE_MS;
  assert.equal(day((await scene.collect({ frequency: '1D' })).bars.timestamps.at(-1)), '2024-03-08');
});

test('reads the bars of earlier dates if the plan has none of today', async () => {
  await using scene = await start({ plan: 'end_of_day' });
  const { bars } = await scene.collect();
  assert.equal(day(bars.timestamps.at(-1)), '2024-03-08', 'the last minutes of yesterday are after midnight UTC');
  assert.ok((bars.timestamps.at(-1) ?? 0) < Date.UTC(2024, 2, 8, 5), 'before midnight in New York');
  assert.deepEqual([scene.server.requests.length, scene.provider.delayMinutes], [2, 480]);
  const days = await scene.collect({ frequency: '1D' });
  assert.equal(day(days.bars.timestamps.at(-1)), '2024-03-07');
  assert.equal(scene.server.requests.length, 3, 'the plan is known');
  scene.now = Date.UTC(2024, 2, 9, 5);
  assert.equal(day((await scene.collect({ frequency: '1D' })).bars.timestamps.at(-1)), '2024-03-08');
});

test('reads the history of a plan with two years', async () => {
  await using scene = await start({ plan: 'end_of_day', historyYears: 2 });
  const { bars } = await scene.collect({ frequency: '1D', limit: 10_000 });
  assert.equal(day(bars.timestamps[0]), '2022-03-10');
  assert.equal(scene.server.requests.length, 2);
  assert.equal(day(scene.provider.earliest ?? 0), '2022-03-10');
  const enough = await scene.collect({ frequency: '1D', start: parseDay('2021-06-01'), limit: 100 });
  assert.equal(enough.bars.timestamps.length, 100);
  const early = { frequency: '1D', start: parseDay('2021-06-01') } as const;
  await assert.rejects(scene.collect({ ...early, limit: 10_000 }), { fault: 'FORBIDDEN' });
  await assert.rejects(scene.collect({ ...early, end: parseDay('2021-07-01') }), { fault: 'FORBIDDEN' });
});

test('reads the days of all stocks of a date in one request', async () => {
  const histories = ['AA', 'BB', 'CC'].map((symbol, seed) => {
    return createHistory({ symbol, from: '2024-02-01', to: '2024-03-08', seed, splits: ACME.splits ?? [] });
  });
  await using scene = await start({ histories });
  const date = parseDay('2024-02-14');
  const read = (adjustment: 'raw' | 'split', at = date) => bulkOf(scene).fetchDate(at, adjustment, scene.client());
  const raw = await read('raw');
  const barOf = (i: number) => histories[i]?.days.find(({ timestamp }) => timestamp === date) as HistoryBar;
  assert.deepEqual(
    [...raw],
    ['AA', 'BB', 'CC'].map((symbol, i) => [symbol, barOf(i)]),
  );
  assert.equal(scene.server.requests.length, 1);
  assert.equal((await read('split')).get('AA')?.close, barOf(0).close / 10);
  assert.equal((await read('raw', parseDay('2024-02-19'))).size, 0, 'a holiday');
});

test('drops days of another date, of other symbols, and of symbols that are repeated', async () => {
  await using scene = await start();
  const date = parseDay('2024-02-14');
  const row = { T: 'ACME', t: date + 21 * 3_600_000, o: 1, h: 1, l: 1, c: 1, v: 1 };
  const results = [
    row,
    { ...row, T: 'LATE', t: row.t + DAY_MS },
    { ...row, T: 'TEXT', t: 'then' },
    { ...row, T: 'BACpK' },
    { ...row, T: 7 },
    { ...row, T: 'TWICE' },
    { ...row, T: 'TWICE', c: 2 },
  ];
  scene.server.script.push(sendJson({ adjusted: false, status: 'OK', resultsCount: results.length, results }));
  const bars = await bulkOf(scene).fetchDate(date, 'raw', scene.client());
  assert.deepEqual([...bars.keys()], ['ACME']);
});

test('reports a date that the plan does not include yet, and the delay of the plan', async () => {
  await using scene = await start({ plan: 'end_of_day' });
  await assert.rejects(bulkOf(scene).fetchDate(parseDay('2024-03-08'), 'raw', scene.client()), { fault: 'FORBIDDEN' });
  assert.equal(scene.provider.delayMinutes, 480);
});

test('lists stocks and funds in pages, first the active ones', async () => {
  const one = { from: '2024-03-04', to: '2024-03-04' };
  const histories = [
    ...['BRK.B', 'AAA', 'BBB', 'CCC', 'USED'].map((symbol) => createHistory({ symbol, exchange: 'NYSE', ...one })),
    createHistory({ symbol: 'USED', name: 'The company before', status: 'delisted', ...one }),
    createHistory({ symbol: 'GONE', name: 'Gone Fund', status: 'delisted', exchange: 'ARCA', ...one }),
  ];
  await using scene = await start({ histories, pageRows: 2 });
  const listed = await readListing(scene);
  assert.deepEqual(
    listed.map(({ symbol, status }) => `${symbol} ${status}`),
    ['AAA active', 'BBB active', 'BRK.B active', 'CCC active', 'USED active', 'GONE delisted'],
  );
  assert.deepEqual(listed.at(-1), {
    symbol: 'GONE',
    name: 'Gone Fund',
    aliases: [],
    exchange: 'NYSE Arca',
    class: 'stock',
    units: 'USD',
    status: 'delisted',
  });
  assert.deepEqual(listed[2]?.aliases, ['BRK-B', 'BRK/B']);
  assert.equal(scene.server.requests.length, 4);
});

test('lists no other kinds of tickers and refuses tickers that were not requested', async () => {
  await using scene = await start();
  const ticker = { ticker: 'ACME', name: 'Acme', market: 'stocks', type: 'CS', active: true, currency_name: 'usd' };
  const page = (...results: unknown[]) => sendJson({ status: 'OK', results });
  const types = ['CS', 'ETF', 'ADRC', 'WARRANT', 'PFD', 'RIGHT', undefined];
  const gone = { ...ticker, ticker: 'GONE', active: false, type: undefined, currency_name: undefined };
  scene.server.script.push(
    page(...types.map((type, i) => ({ ...ticker, ticker: `X${'ABCDEFG'[i]}`, type }))),
    page(gone),
  );
  const listed = await readListing(scene);
  assert.deepEqual(
    listed.map(({ symbol }) => symbol),
    ['XA', 'XB', 'XC', 'GONE'],
  );
  for (const change of [{ ticker: 7 }, { market: 'crypto' }, { active: false }]) {
    scene.server.script.push(page({ ...ticker, ...change }));
    await assert.rejects(readListing(scene), { fault: 'MALFORMED' });
  }
  const loop = sendJson({ status: 'OK', results: [ticker], next_url: 'https://api.massive.com/v3?cursor=again' });
  scene.server.script.push(loop, loop);
  await assert.rejects(readListing(scene), { fault: 'PAGE_LOOP' });
});
