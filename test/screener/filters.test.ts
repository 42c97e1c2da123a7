import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Caller, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { completeRun, deleteRuns, insertMetrics } from '../support/screener/filters.ts';

const ALERTS = '/v1/me/screener-alerts';

interface Alert {
  readonly id: string;
  readonly name: string;
  readonly universe: unknown;
  readonly all?: unknown;
  readonly any?: unknown;
  readonly email: boolean;
  readonly unknown_symbols?: string[];
  readonly created_at: string;
  readonly updated_at: string;
}

let service: ForecastService;

before(async () => {
  service = await openForecastService(testedKind);
});

after(() => service?.[Symbol.asyncDispose]());

const OVERSOLD = { name: 'Oversold', universe: 'all', all: [{ field: 'rsi_14', op: 'lt', value: 30 }] };

function saveFilter({ request }: Caller, fields: object = {}) {
  return request<Alert>('POST', ALERTS, { ...OVERSOLD, ...fields });
}

test('saves, lists, reads, changes and removes a filter', async () => {
  const caller = await service.account();
  const { status, data } = await saveFilter(caller, { name: '  Oversold  ', universe: [' aapl', 'brk.b', '^gspc'] });
  assert.equal(status, 201);
  assert.match(data.id, /^alt_[0-9A-HJKMNP-TV-Z]{26}$/);
  const { id, created_at, updated_at, unknown_symbols, ...rest } = data;
  assert.deepEqual(unknown_symbols, ['BRK.B']);
  assert.deepEqual(rest, { ...OVERSOLD, universe: ['AAPL', 'BRK.B', '^GSPC'], email: false });
  assert.equal(created_at, updated_at);

  const path = `${ALERTS}/${id}`;
  assert.deepEqual((await caller.request<Alert>('GET', path)).data, data);
  const list = await caller.request<{ alerts: Alert[]; mail_delivery: object }>('GET', ALERTS);
  assert.deepEqual(list.data, {
    alerts: [{ id, created_at, updated_at, ...rest, latest: null }],
    mail_delivery: { state: 'off', since: null },
  });

  const between = { field: 'close', op: 'between', value: [10, 20] };
  const crossing = { field: 'close', op: 'crosses_above', other_field: 'sma_50' };
  const changed = await caller.request<Alert>('PATCH', path, { any: [between, crossing], email: true });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    [changed.data.any, changed.data.all, changed.data.email, changed.data.name],
    [[between, crossing], undefined, true, 'Oversold'],
  );
  const unrestricted = await caller.request<Alert>('PATCH', path, { universe: 'all' });
  assert.deepEqual([unrestricted.data.universe, unrestricted.data.any], ['all', [between, crossing]]);
  assert.deepEqual((await caller.request<typeof list.data>('GET', ALERTS)).data.mail_delivery, {
    state: 'on',
    since: null,
  });

  const removed = await caller.request('DELETE', path);
  assert.equal(removed.status, 200);
  assert.deepEqual(JSON.parse(removed.body), { data: { id, removed: true } }, 'without meta');
  const again = await caller.request('DELETE', path);
  assert.deepEqual([again.status, again.code], [404, 'NOT_FOUND']);
  for (const [method, body] of [['GET'], ['PATCH', { email: true }]] as const)
    assert.equal((await caller.request(method, path, body)).status, 404);
});

test('shows the symbols of a filter that no provider lists', async () => {
  const caller = await service.account();
  // GSPC is another spelling of ^GSPC.
  const universe = ['AAPLE', 'gspc', 'AAPL', 'ZZZ'];
  const { data: created } = await saveFilter(caller, { universe });
  assert.deepEqual(created.unknown_symbols, ['AAPLE', 'ZZZ']);
  const path = `${ALERTS}/${created.id}`;
  assert.deepEqual((await caller.request<Alert>('GET', path)).data.unknown_symbols, ['AAPLE', 'ZZZ']);
  const changed = await caller.request<Alert>('PATCH', path, { universe: ['AAPL', 'ZZZ'] });
  assert.deepEqual(changed.data.unknown_symbols, ['ZZZ']);
  const preview = await caller.request<Alert>('POST', `${ALERTS}/preview`, { universe, all: OVERSOLD.all });
  assert.deepEqual(preview.data.unknown_symbols, ['AAPLE', 'ZZZ']);
  const all = await caller.request<Alert>('PATCH', path, { universe: 'all' });
  assert.deepEqual(all.data.unknown_symbols, []);
});

test('refuses an invalid filter with the path of the field and stores nothing', async () => {
  const caller = await service.account();
  const { data } = await saveFilter(caller);
  const withCondition = (condition: object) => ({ all: [OVERSOLD.all[0], condition] });
  const makeSymbols = (length: number) => Array.from({ length }, (_, i) => `S${i}`);
  const cases: [fields: object, message: RegExp][] = [
    [{ name: '' }, /^name: /],
    [{ name: 'a\nb' }, /^name: must be one line/],
    [{ name: '\u202eevil' }, /^name: must not contain characters that change the text direction/],
    [{ universe: 'some' }, /^universe: must be "all" or a list of symbols\.$/],
    [{ universe: [] }, /^universe: /],
    [{ universe: makeSymbols(501) }, /^universe: .*500/],
    [{ universe: ['AAPL', 5] }, /^universe\[1\]: .*string/],
    [{ universe: ['AAPL', 'A B'] }, /^universe\[1\]: must be a symbol such as/],
    [{ universe: ['ſpy'] }, /^universe\[0\]: must be a symbol such as/],
    [{ universe: ["A'; DROP TABLE account; --"] }, /^universe\[0\]: must be a symbol/],
    [{ universe: ['AAPL', 'MSFT', 'aapl '] }, /^universe\[2\]: is the same as \[0\]\.$/],
    [{ any: OVERSOLD.all }, /^body: must contain either all or any/],
    [{ all: undefined }, /^body: must contain either all or any/],
    [{ all: [] }, /^all: /],
    [{ all: makeSymbols(21).map((_, value) => ({ field: 'close', op: 'gt', value })) }, /^all: .*20/],
    [withCondition(OVERSOLD.all[0] ?? {}), /^all\[1\]: is the same as \[0\]\.$/],
    [withCondition({ field: 'price', op: 'gt', value: 1 }), /^all\[1\]\.field: /],
    [withCondition({ field: '__proto__', op: 'gt', value: 1 }), /^all\[1\]\.field: /],
    [withCondition({ field: 'close', op: '>', value: 1 }), /^all\[1\]\.op: /],
    [withCondition({ field: 'close', op: 'gt' }), /^all\[1\]\.value: is required\.$/],
    [
      withCondition({ field: 'close', op: 'gt', value: '1' }),
      /^all\[1\]\.value: must be a number, or \[low, high\] for between\.$/,
    ],
    [withCondition({ field: 'close', op: 'gt', value: null }), /^all\[1\]\.value: must be a number/],
    [withCondition({ field: 'close', op: 'gt', value: [1, 2] }), /^all\[1\]\.value: must be one number for gt\.$/],
    [
      withCondition({ field: 'close', op: 'gt', value: 1, other_field: 'sma_20' }),
      /^all\[1\]\.other_field: cannot be combined with/,
    ],
    [
      withCondition({ field: 'close', op: 'gt', other_field: 'close' }),
      /^all\[1\]\.other_field: must differ from field\.$/,
    ],
    [
      withCondition({ field: 'close', op: 'eq', other_field: 'sma_20' }),
      /^all\[1\]\.other_field: cannot be used with eq/,
    ],
    [
      withCondition({ field: 'close', op: 'between', value: 1 }),
      /^all\[1\]\.value: must be \[low, high\] for between\.$/,
    ],
    [
      withCondition({ field: 'close', op: 'between', value: [2, 1] }),
      /^all\[1\]\.value: must have the lower number first\.$/,
    ],
    [withCondition({ field: 'close', op: 'between', value: [1, 2, 3] }), /^all\[1\]\.value: /],
    [withCondition({ field: 'close', op: 'between', value: [1, 'x'] }), /^all\[1\]\.value\[1\]: /],
    [
      withCondition({ field: 'close', op: 'between', value: [1, 2], other_field: 'sma_20' }),
      /^all\[1\]\.other_field: cannot/,
    ],
    [withCondition({ field: 'close', op: 'gt', value: 1, also: 2 }), /^all\[1\]: unknown field "also"\.$/],
    [{ email: 'yes' }, /^email: /],
    [{ account_id: 'usr_1' }, /^body: unknown field "account_id"\./],
  ];
  const { screener_filter: filtersBefore = [] } = await readComparableRows(service.database);
  for (const [fields, message] of cases) {
    const reply = await saveFilter(caller, fields);
    assert.equal(reply.status, 400, reply.body);
    assert.match(JSON.parse(reply.body).error.message, message);
    if (Object.values(fields)[0] === undefined) continue;
    const change = await caller.request('PATCH', `${ALERTS}/${data.id}`, fields);
    // A change may contain `any` alone.
    if (!('any' in fields)) assert.match(JSON.parse(change.body).error?.message ?? change.body, message);
  }
  const changes: [object, RegExp][] = [
    [{}, /^body: must contain at least one field to change\.$/],
    [{ all: OVERSOLD.all, any: OVERSOLD.all }, /^body: must not contain both all and any\.$/],
  ];
  for (const [change, message] of changes) {
    const reply = await caller.request('PATCH', `${ALERTS}/${data.id}`, change);
    assert.match(JSON.parse(reply.body).error.message, message);
  }
  const huge = await service.app.inject({
    method: 'POST',
    url: `/api${ALERTS}`,
    headers: { ...caller.credentials, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...OVERSOLD, all: [{ field: 'close', op: 'gt', value: 7 }] }).replace('7', '1e999'),
  });
  assert.match(huge.json().error.message, /^all\[0\]\.value: /);
  const { screener_filter: filtersAfter = [] } = await readComparableRows(service.database);
  assert.equal(filtersAfter.length, filtersBefore.length);
});

test('limits an account to ten filters under concurrent requests', async () => {
  const caller = await service.account();
  const replies = await Promise.all(Array.from({ length: 25 }, (_, i) => saveFilter(caller, { name: `Filter ${i}` })));
  const statuses = replies.map(({ status, code }) => code ?? status);
  assert.equal(statuses.filter((status) => status === 201).length, 10);
  assert.equal(statuses.filter((status) => status === 'LIMIT_REACHED').length, 15);
  const { data } = await caller.request<{ alerts: Alert[] }>('GET', ALERTS);
  assert.equal(data.alerts.length, 10);
  // Other accounts are not affected, and a deleted filter makes room for another.
  assert.equal((await saveFilter(await service.account())).status, 201);
  await caller.request('DELETE', `${ALERTS}/${data.alerts[0]?.id}`);
  const more = await Promise.all([saveFilter(caller), saveFilter(caller)]);
  assert.deepEqual(more.map(({ status }) => status).sort(), [201, 409]);
});

interface Matches {
  readonly session: string | null;
  readonly run: { state: string; missing: string[] } | null;
  readonly evaluated: boolean;
  readonly total: number;
  readonly matches: readonly { symbol: string; new: boolean; values: Record<string, number | null> }[];
  readonly next_cursor: string | null;
}

test('lists matches with their values, page by page, and marks new ones', async () => {
  const caller = await service.account();
  const rules = {
    universe: 'all',
    any: [
      { field: 'close', op: 'gt', value: 10 },
      { field: 'close', op: 'crosses_below', other_field: 'sma_20' },
    ],
  };
  await deleteRuns(service.database);
  const empty = await caller.request<Matches>('POST', `${ALERTS}/preview`, rules);
  assert.deepEqual(empty.data, { session: null, total: 0, matches: [], missing: [], unknown_symbols: [] });
  const { data: alert } = await caller.request<Alert>('POST', ALERTS, { name: 'Rules', ...rules });
  const path = `${ALERTS}/${alert.id}/matches`;
  assert.deepEqual((await caller.request<Matches>('GET', path)).data, {
    session: null,
    run: null,
    evaluated: false,
    total: 0,
    new_total: 0,
    matches: [],
    next_cursor: null,
  });

  await insertMetrics(service.database, '2026-03-06', { A: { close: 11, sma_20: 1 }, B: { close: 5 } });
  await completeRun(service.database, '2026-03-06');
  const metrics = Object.fromEntries(['A', 'B', 'C', 'D'].map((symbol, i) => [symbol, { close: 11 + i, sma_20: 2 }]));
  await insertMetrics(service.database, '2026-03-09', { ...metrics, E: { close: 1 } });
  await completeRun(service.database, '2026-03-09');

  const all = await caller.request<Matches>('GET', path);
  assert.deepEqual([all.data.session, all.data.total, all.data.run?.state], ['2026-03-09', 4, 'completed']);
  assert.deepEqual(
    all.data.matches.map((match) => [match.symbol, match.new]),
    [
      ['A', false],
      ['B', true],
      ['C', true],
      ['D', true],
    ],
  );
  assert.deepEqual(all.data.matches[0]?.values, { close: 11, sma_20: 2, previous_close: null, previous_sma_20: null });

  const pages: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: Matches } = await caller.request<Matches>(
      'GET',
      `${path}?limit=3${cursor && `&cursor=${cursor}`}`,
    );
    pages.push(page.data.matches.map(({ symbol }) => symbol));
    cursor = page.data.next_cursor;
    // The next page keeps its session although another one has become the latest.
    if (pages.length === 1) {
      await insertMetrics(service.database, '2026-03-10', { Z: { close: 99 } });
      await completeRun(service.database, '2026-03-10');
    }
  }
  assert.deepEqual(pages, [['A', 'B', 'C'], ['D']]);
  assert.deepEqual((await caller.request<Matches>('GET', path)).data.session, '2026-03-10');
  const earlier = await caller.request<Matches>('GET', `${path}?session=2026-03-06`);
  assert.deepEqual(
    earlier.data.matches.map(({ symbol, new: isNew }) => [symbol, isNew]),
    [['A', true]],
  );
  assert.equal(earlier.data.evaluated, true);
  // A filter that was created after the run was not evaluated.
  const { data: later } = await caller.request<Alert>('POST', ALERTS, {
    name: 'Later',
    ...rules,
    universe: ['Z', 'NONE'],
  });
  const { data: unevaluated } = await caller.request<Matches>('GET', `${ALERTS}/${later.id}/matches`);
  assert.deepEqual([unevaluated.session, unevaluated.evaluated, unevaluated.total], ['2026-03-10', false, 0]);
  assert.deepEqual(unevaluated.run?.missing, ['NONE']);
  const withoutRun = await caller.request<Matches>('GET', `${path}?session=2026-03-05`);
  assert.deepEqual([withoutRun.data.session, withoutRun.data.run, withoutRun.data.total], ['2026-03-05', null, 0]);

  const { next_cursor: otherCursor } = (await caller.request<Matches>('GET', `${path}?session=2026-03-09&limit=1`))
    .data;
  for (const [query, message] of [
    ['session=2026-03-07', /^session: the exchange is closed on 2026-03-07/],
    ['session=1789-07-14', /^session: the exchange is closed/],
    ['session=2026-02-30', /^session: must be a date/],
    ['session=yesterday', /^session: must be a date/],
    ['limit=0', /^limit: /],
    ['limit=501', /^limit: /],
    [`cursor=${otherCursor}`, /^cursor: belongs to another list/],
    ['cursor=x', /^cursor: belongs to another list/],
    ['page=2', /unknown field "page"/],
  ] as const) {
    const reply = await caller.request('GET', `${path}?${query}`);
    assert.equal(reply.status, 400, query);
    assert.match(JSON.parse(reply.body).error.message, message);
  }

  const preview = await caller.request<Matches & { missing: string[] }>('POST', `${ALERTS}/preview`, {
    ...rules,
    universe: ['z', 'NONE'],
  });
  assert.deepEqual([preview.data.session, preview.data.total, preview.data.missing], ['2026-03-10', 1, ['NONE']]);
  assert.equal(preview.data.matches[0]?.values.close, 99);
  const withName = await caller.request('POST', `${ALERTS}/preview`, { ...rules, name: 'x' });
  assert.match(withName.body, /unknown field \\"name\\"/);
});

test('previews the first 200 matches and counts all of them', async () => {
  const caller = await service.account();
  await deleteRuns(service.database);
  const metrics = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`S${1000 + i}`, { close: 500 }]));
  await insertMetrics(service.database, '2026-03-11', metrics);
  await completeRun(service.database, '2026-03-11');
  const rules = { universe: 'all', all: [{ field: 'close', op: 'eq', value: 500 }] };
  const { data } = await caller.request<Matches>('POST', `${ALERTS}/preview`, rules);
  assert.deepEqual([data.total, data.matches.length, data.matches[0]?.symbol], [250, 200, 'S1000']);
});
