import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseTimeframe, TIMEFRAMES } from '../../src/calendar/index.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { StockHistory, TIMEFRAME_SPELLINGS } from '../../src/contract/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { type Credentials, makeAccount, withGuest, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

let fixture: TestDatabase;
let api: TestApi;
let key: Credentials;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, {});
  const { id } = await makeAccount(api.identity, { password: null });
  key = await withKey(api.identity, id);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

function send(body: object, headers: Credentials = key) {
  return api.app.inject({ method: 'POST', url: '/api/market-data/stocks/history', headers, payload: body });
}

async function history(body: object) {
  const response = await send(body);
  assert.equal(response.statusCode, 200, response.body);
  const { ok, ...data } = response.json();
  assert.equal(ok, true);
  return StockHistory.parse(data);
}

async function refusal(body: object): Promise<string> {
  const response = await send(body);
  const { ok, error, message } = response.json();
  assert.equal(ok, false);
  return `${response.statusCode} ${error} ${message}`;
}

test('applies the defaults and echoes the request', async () => {
  const answer = await history({ symbol: 'AAPL', timeframe: '1Day' });
  const { rows, snapshot_id, next_cursor, ...rest } = answer;
  assert.deepEqual(rest, {
    provider: 'bundled',
    sourceRequested: 'auto',
    fallbackUsed: false,
    symbol: 'AAPL',
    timeframe: '1Day',
    adjustment: 'split',
    session: 'regular',
    price_side: 'trade',
    count: 500,
    truncated: true,
    dropped: {},
  });
  assert.match(snapshot_id, /^snap_/);
  assert.equal(typeof next_cursor, 'string');
  assert.deepEqual(rows.at(-1), {
    timestamp: '2018-05-11T00:00:00.000Z',
    open: 189.490005,
    high: 190.059998,
    low: 187.449997,
    close: 188.589996,
    volume: 25806600,
  });
});

test('accepts and echoes every spelling of a timeframe', async () => {
  assert.deepEqual([...TIMEFRAME_SPELLINGS].sort(), [...TIMEFRAMES].sort(), 'the contract and the calendar agree');
  for (const timeframe of TIMEFRAME_SPELLINGS) {
    const response = await send({ symbol: '^GSPC', timeframe });
    if (['1D', '1W-MON', '1MS'].includes(parseTimeframe(timeframe) ?? '')) {
      assert.equal(response.json().timeframe, timeframe);
    } else {
      assert.match(await refusal({ symbol: '^GSPC', timeframe }), /^422 UNPROCESSABLE .*bundled/);
    }
  }
  for (const timeframe of ['1M', '1day', '2h', '', '1d']) {
    assert.match(await refusal({ symbol: 'AAPL', timeframe }), /^400 INVALID_REQUEST timeframe: /);
  }
});

test('accepts only the five limits of the interface', async () => {
  for (const [limit, count] of [
    [500, 500],
    [1000, 1000],
    [1500, 1500],
    [2000, 2000],
    [50_000, 5105],
  ]) {
    assert.equal((await history({ symbol: '^GSPC', timeframe: '1D', limit })).count, count);
  }
  for (const limit of [0, 1, 499, 501, 50_001, -500, '500', 500.5, null]) {
    assert.match(await refusal({ symbol: '^GSPC', timeframe: '1D', limit }), /^400 INVALID_REQUEST limit: /);
  }
});

test('applies supported adjustments and refuses others', async () => {
  const close = async (adjustment: string) =>
    (await history({ symbol: 'AAPL', timeframe: '1D', adjustment })).rows[0]?.close;
  assert.notEqual(await close('split'), await close('all'));
  assert.match(
    await refusal({ symbol: 'AAPL', timeframe: '1D', adjustment: 'raw' }),
    /^422 UNPROCESSABLE .*split and all/,
  );
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', adjustment: 'dividend' }), /^400 .*adjustment: /);
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', session: 'extended' }), /^422 UNPROCESSABLE /);
  assert.equal((await history({ symbol: '^GSPC', timeframe: '1D', adjustment: 'raw' })).adjustment, 'raw');
});

test('exports the snapshot of the preview as CSV and JSON', async () => {
  const settings = { symbol: '^GSPC', timeframe: '1Week', limit: 500 };
  const preview = await history(settings);
  assert.deepEqual(preview.dropped, {}, 'the week that the limit cuts is not counted');
  const csv = await send({ ...settings, format: 'csv', snapshot_id: preview.snapshot_id });
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="GSPC-1Week-split.csv"');
  const [head, ...lines] = csv.body.split('\r\n');
  assert.equal(head, 'timestamp,open,high,low,close,volume');
  assert.equal(lines.pop(), '', 'the last line ends with a line break');
  const rows = lines.map((line) => {
    const [timestamp, ...cells] = line.split(',');
    const [open, high, low, close, volume] = cells.map(Number);
    return { timestamp, open, high, low, close, volume };
  });
  assert.deepEqual(rows, preview.rows);
  const json = await history({ ...settings, snapshot_id: preview.snapshot_id });
  assert.deepEqual(json, preview);
  // The second response is sent in one piece and is the same.
  const again = await send({ ...settings, format: 'csv', snapshot_id: preview.snapshot_id });
  assert.equal(again.body, csv.body);
  assert.equal(Number(again.headers['content-length']), Buffer.byteLength(csv.body));
});

test('returns the whole history once by cursor', async () => {
  const timestamps: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await history({ symbol: '^GSPC', timeframe: '1D', limit: 2000, ...(cursor && { cursor }) });
    timestamps.unshift(...page.rows.map(({ timestamp }) => timestamp));
    assert.equal(page.truncated, page.next_cursor !== null);
    cursor = page.next_cursor;
  }
  assert.equal(timestamps.length, 5105);
  assert.deepEqual(timestamps, [...new Set(timestamps)].sort());
});

test('lets a guest download, and refuses hostile symbols', async () => {
  const guest = await withGuest(api.identity);
  assert.equal((await send({ symbol: 'AAPL', timeframe: '1D' }, guest)).statusCode, 200);
  for (const symbol of [
    'NOPE',
    '../AAPL',
    '__proto__',
    'constructor',
    "'; DROP TABLE snapshot; --",
    '=cmd|calc',
    'ÄÖÜ',
  ]) {
    assert.match(await refusal({ symbol, timeframe: '1D' }), /^404 NOT_FOUND /, symbol);
  }
  for (const symbol of ['', 'x'.repeat(33), 5, null, ['AAPL'], 'A\u0000']) {
    assert.match(await refusal({ symbol, timeframe: '1D' }), /^400 INVALID_REQUEST symbol: /);
  }
  assert.match(await refusal({ timeframe: '1D' }), /^400 INVALID_REQUEST symbol: /);
  assert.match(await refusal({ symbol: 'AAPL' }), /^400 INVALID_REQUEST timeframe: /);
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', page: 2 }), /unknown field "page"/);
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', snapshot_id: 'snap_x' }), /^404 NOT_FOUND /);
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', start: '2020' }), /^400 INVALID_REQUEST start: /);
});

test('accepts the names of the interface and the ids of providers', async () => {
  for (const source of ['alpaca', 'massive', 'dukascopy', 'provider_a', 'provider_b', 'provider_c']) {
    assert.match(
      await refusal({ symbol: 'AAPL', timeframe: '1D', source }),
      /^422 UNPROCESSABLE source: \w+ is not configured/,
    );
  }
  assert.match(await refusal({ symbol: 'AAPL', timeframe: '1D', source: 'yahoo' }), /^400 INVALID_REQUEST source: /);
  assert.equal((await history({ symbol: 'aapl', timeframe: '1D', source: 'bundled' })).symbol, 'aapl');
});

test('freezes one snapshot for twenty concurrent equal downloads', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => history({ symbol: 'AAPL', timeframe: '1MS' })));
  assert.equal(new Set(answers.map(({ snapshot_id }) => snapshot_id)).size, 1);
  assert.deepEqual(answers[19], answers[0]);
});

test('freezes one snapshot for the spellings of a symbol and echoes each spelling', async () => {
  const answers = await Promise.all(
    ['^GSPC', '^gspc', 'SPX', 'Spx', 'gspc'].map((symbol) => history({ symbol, timeframe: '1D' })),
  );
  assert.equal(new Set(answers.map(({ snapshot_id }) => snapshot_id)).size, 1);
  assert.deepEqual(
    answers.map(({ symbol }) => symbol),
    ['^GSPC', '^gspc', 'SPX', 'Spx', 'gspc'],
  );
  const snapshot_id = answers[0]?.snapshot_id;
  assert.equal((await history({ symbol: 'spx', timeframe: '1Day', snapshot_id })).count, 500);
  assert.match(await refusal({ symbol: '\u017fpx', timeframe: '1D' }), /^404 NOT_FOUND /);
});

test('refuses a snapshot with rows outside the request', async () => {
  const settings = { symbol: '^GSPC', timeframe: '1D', limit: 2000 };
  const { snapshot_id } = await history(settings);
  for (const [other, field] of [
    [{ limit: 500 }, 'limit'],
    [{ start: '2015-01-01T00:00:00Z' }, 'start'],
    [{ end: '2015-01-01T00:00:00Z' }, 'end'],
  ] as const) {
    assert.match(await refusal({ ...settings, ...other, snapshot_id }), new RegExp(`^400 INVALID_REQUEST ${field}: `));
  }
  assert.equal((await history({ ...settings, limit: 50_000, start: '2000-01-01T00:00:00Z', snapshot_id })).count, 2000);
});

test('does not count rows outside the request as dropped', async () => {
  const months = await history({ symbol: '^GSPC', timeframe: '1MS', end: '2010-01-01T00:00:00Z' });
  assert.deepEqual([months.count, months.dropped], [120, {}]);
  const weeks = await history({ symbol: '^GSPC', timeframe: '1w', end: '2012-06-14T00:00:00Z' });
  assert.deepEqual(weeks.dropped, {});
});

test('returns the fields of the JSON response as headers of the CSV response', async () => {
  const csv = await send({ symbol: '^GSPC', timeframe: '1D', format: 'csv' });
  const json = await history({ symbol: '^GSPC', timeframe: '1D' });
  assert.equal(csv.headers['x-snapshot-id'], json.snapshot_id);
  assert.equal(csv.headers['x-next-cursor'], json.next_cursor);
  assert.deepEqual(
    [csv.headers['x-provider'], csv.headers['x-fallback-used'], csv.headers['x-count'], csv.headers['x-dropped']],
    ['bundled', 'false', '500', '{}'],
  );
});

test('names the field and the remedy in messages', async () => {
  const plain = { symbol: 'AAPL', timeframe: '1D' };
  assert.match(await refusal({ symbol: 'AAPL' }), /timeframe: is required\./);
  assert.match(await refusal({ ...plain, start: '2014-01-01' }), /start: must be .* such as 2024-01-31T00:00:00Z/);
  assert.match(await refusal({ ...plain, price_side: 'ask' }), /^422 UNPROCESSABLE .*omit price_side/);
});
