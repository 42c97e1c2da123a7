import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ForecastService, openForecastService, type Person } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { completeRun, storeNumbers } from '../support/screener/screener.ts';
import { restingRows } from '../support/snapshots/rows.ts';

const ALERTS = '/v1/me/screener-alerts';

interface Alert {
  readonly id: string;
  readonly name: string;
  readonly universe: unknown;
  readonly all?: unknown;
  readonly any?: unknown;
  readonly email: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

let service: ForecastService;

before(async () => {
  service = await openForecastService(testedKind);
});

after(() => service?.[Symbol.asyncDispose]());

const OVERSOLD = { name: 'Oversold', universe: 'all', all: [{ field: 'rsi_14', op: 'lt', value: 30 }] };

function save({ ask }: Person, fields: object = {}) {
  return ask<Alert>('POST', ALERTS, { ...OVERSOLD, ...fields });
}

test('a filter is saved, listed, read, changed and removed', async () => {
  const person = await service.account();
  const { status, data } = await save(person, { name: '  Oversold  ', universe: [' aapl', 'brk.b', '^gspc'] });
  assert.equal(status, 201);
  assert.match(data.id, /^alt_[0-9A-HJKMNP-TV-Z]{26}$/);
  const { id, created_at, updated_at, ...rest } = data;
  assert.deepEqual(rest, { ...OVERSOLD, universe: ['AAPL', 'BRK.B', '^GSPC'], email: false });
  assert.equal(created_at, updated_at);

  const one = `${ALERTS}/${id}`;
  assert.deepEqual((await person.ask<Alert>('GET', one)).data, data);
  const list = await person.ask<{ alerts: Alert[]; mail_delivery: object }>('GET', ALERTS);
  assert.deepEqual(list.data, { alerts: [data], mail_delivery: { state: 'off', since: null } });

  const between = { field: 'close', op: 'between', value: [10, 20] };
  const crossing = { field: 'close', op: 'crosses_above', other_field: 'sma_50' };
  const changed = await person.ask<Alert>('PATCH', one, { any: [between, crossing], email: true });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    [changed.data.any, changed.data.all, changed.data.email, changed.data.name],
    [[between, crossing], undefined, true, 'Oversold'],
  );
  const everything = await person.ask<Alert>('PATCH', one, { universe: 'all' });
  assert.deepEqual([everything.data.universe, everything.data.any], ['all', [between, crossing]]);
  assert.deepEqual((await person.ask<typeof list.data>('GET', ALERTS)).data.mail_delivery, {
    state: 'on',
    since: null,
  });

  const removed = await person.ask('DELETE', one);
  assert.equal(removed.status, 200);
  assert.deepEqual(JSON.parse(removed.body), { data: { id, removed: true } }, 'without meta');
  const again = await person.ask('DELETE', one);
  assert.deepEqual([again.status, again.code], [404, 'NOT_FOUND']);
  for (const [method, body] of [['GET'], ['PATCH', { email: true }]] as const)
    assert.equal((await person.ask(method, one, body)).status, 404);
});

test('a filter that is wrong is refused by the path of what is wrong, and nothing is kept', async () => {
  const person = await service.account();
  const { data } = await save(person);
  const rule = (condition: object) => ({ all: [OVERSOLD.all[0], condition] });
  const many = (length: number) => Array.from({ length }, (_, i) => `S${i}`);
  const cases: [fields: object, message: RegExp][] = [
    [{ name: '' }, /^name: /],
    [{ name: 'a\nb' }, /^name: must be one line/],
    [{ name: '\u202eevil' }, /^name: must not contain characters that turn/],
    [{ universe: 'some' }, /^universe: must be "all" or a list of symbols\.$/],
    [{ universe: [] }, /^universe: /],
    [{ universe: many(501) }, /^universe: .*500/],
    [{ universe: ['AAPL', 5] }, /^universe\[1\]: .*string/],
    [{ universe: ['AAPL', 'A B'] }, /^universe\[1\]: must be a symbol such as/],
    [{ universe: ['ſpy'] }, /^universe\[0\]: must be a symbol such as/],
    [{ universe: ["A'; DROP TABLE account; --"] }, /^universe\[0\]: must be a symbol/],
    [{ universe: ['AAPL', 'MSFT', 'aapl '] }, /^universe\[2\]: is the same as \[0\]\.$/],
    [{ any: OVERSOLD.all }, /^body: must have either all or any/],
    [{ all: undefined }, /^body: must have either all or any/],
    [{ all: [] }, /^all: /],
    [{ all: many(21).map((_, value) => ({ field: 'close', op: 'gt', value })) }, /^all: .*20/],
    [rule(OVERSOLD.all[0] ?? {}), /^all\[1\]: is the same as \[0\]\.$/],
    [rule({ field: 'price', op: 'gt', value: 1 }), /^all\[1\]\.field: /],
    [rule({ field: '__proto__', op: 'gt', value: 1 }), /^all\[1\]\.field: /],
    [rule({ field: 'close', op: '>', value: 1 }), /^all\[1\]\.op: /],
    [rule({ field: 'close', op: 'gt' }), /^all\[1\]\.value: is required\.$/],
    [
      rule({ field: 'close', op: 'gt', value: '1' }),
      /^all\[1\]\.value: must be a number, or \[low, high\] with between\.$/,
    ],
    [rule({ field: 'close', op: 'gt', value: null }), /^all\[1\]\.value: must be a number/],
    [rule({ field: 'close', op: 'gt', value: [1, 2] }), /^all\[1\]\.value: must be one number with gt\.$/],
    [
      rule({ field: 'close', op: 'gt', value: 1, other_field: 'sma_20' }),
      /^all\[1\]\.other_field: cannot be used beside/,
    ],
    [rule({ field: 'close', op: 'gt', other_field: 'close' }), /^all\[1\]\.other_field: must be another field\.$/],
    [rule({ field: 'close', op: 'eq', other_field: 'sma_20' }), /^all\[1\]\.other_field: cannot be used with eq/],
    [rule({ field: 'close', op: 'between', value: 1 }), /^all\[1\]\.value: must be \[low, high\] with between\.$/],
    [rule({ field: 'close', op: 'between', value: [2, 1] }), /^all\[1\]\.value: must have the lower number first\.$/],
    [rule({ field: 'close', op: 'between', value: [1, 2, 3] }), /^all\[1\]\.value: /],
    [rule({ field: 'close', op: 'between', value: [1, 'x'] }), /^all\[1\]\.value\[1\]: /],
    [rule({ field: 'close', op: 'between', value: [1, 2], other_field: 'sma_20' }), /^all\[1\]\.other_field: cannot/],
    [rule({ field: 'close', op: 'gt', value: 1, also: 2 }), /^all\[1\]: unknown field "also"\.$/],
    [{ email: 'yes' }, /^email: /],
    [{ account_id: 'usr_1' }, /^body: unknown field "account_id"\./],
  ];
  const before = await restingRows(service.database);
  for (const [fields, message] of cases) {
    const reply = await save(person, fields);
    assert.equal(reply.status, 400, reply.body);
    assert.match(JSON.parse(reply.body).error.message, message);
    if (Object.values(fields)[0] === undefined) continue;
    const change = await person.ask('PATCH', `${ALERTS}/${data.id}`, fields);
    // A change may have any by itself.
    if (!('any' in fields)) assert.match(JSON.parse(change.body).error?.message ?? change.body, message);
  }
  const changes: [object, RegExp][] = [
    [{}, /^body: must have something to change\.$/],
    [{ all: OVERSOLD.all, any: OVERSOLD.all }, /^body: must not have both all and any\.$/],
  ];
  for (const [change, message] of changes) {
    const reply = await person.ask('PATCH', `${ALERTS}/${data.id}`, change);
    assert.match(JSON.parse(reply.body).error.message, message);
  }
  const huge = await service.app.inject({
    method: 'POST',
    url: `/api${ALERTS}`,
    headers: { ...person.credentials, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...OVERSOLD, all: [{ field: 'close', op: 'gt', value: 7 }] }).replace('7', '1e999'),
  });
  assert.match(huge.json().error.message, /^all\[0\]\.value: /);
  const { screener_filter: kept = [] } = await restingRows(service.database);
  const { screener_filter: stored = [] } = before;
  assert.equal(kept.length, stored.length);
});

test('an account has ten filters at most, however many are saved at once', async () => {
  const person = await service.account();
  const replies = await Promise.all(Array.from({ length: 25 }, (_, i) => save(person, { name: `Filter ${i}` })));
  const statuses = replies.map(({ status, code }) => code ?? status);
  assert.equal(statuses.filter((status) => status === 201).length, 10);
  assert.equal(statuses.filter((status) => status === 'LIMIT_REACHED').length, 15);
  const { data } = await person.ask<{ alerts: Alert[] }>('GET', ALERTS);
  assert.equal(data.alerts.length, 10);
  // Another has room of its own, and so has the account once one is gone.
  assert.equal((await save(await service.account())).status, 201);
  await person.ask('DELETE', `${ALERTS}/${data.alerts[0]?.id}`);
  const more = await Promise.all([save(person), save(person)]);
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

test('what matched is read with its values, page by page, new ones marked', async () => {
  const person = await service.account();
  const rules = {
    universe: 'all',
    any: [
      { field: 'close', op: 'gt', value: 10 },
      { field: 'close', op: 'crosses_below', other_field: 'sma_20' },
    ],
  };
  const none = await person.ask<Matches>('POST', `${ALERTS}/preview`, rules);
  assert.deepEqual(none.data, { session: null, total: 0, matches: [], missing: [] });
  const { data: alert } = await person.ask<Alert>('POST', ALERTS, { name: 'Rules', ...rules });
  const at = `${ALERTS}/${alert.id}/matches`;
  assert.deepEqual((await person.ask<Matches>('GET', at)).data, {
    session: null,
    run: null,
    evaluated: false,
    total: 0,
    matches: [],
    next_cursor: null,
  });

  await storeNumbers(service.database, '2026-03-06', { A: { close: 11, sma_20: 1 }, B: { close: 5 } });
  await completeRun(service.database, '2026-03-06');
  const numbers = Object.fromEntries(['A', 'B', 'C', 'D'].map((symbol, i) => [symbol, { close: 11 + i, sma_20: 2 }]));
  await storeNumbers(service.database, '2026-03-09', { ...numbers, E: { close: 1 } });
  await completeRun(service.database, '2026-03-09');

  const all = await person.ask<Matches>('GET', at);
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
    const page: { data: Matches } = await person.ask<Matches>('GET', `${at}?limit=3${cursor && `&cursor=${cursor}`}`);
    pages.push(page.data.matches.map(({ symbol }) => symbol));
    cursor = page.data.next_cursor;
    // The next page stays with its session, though another has become the latest.
    if (pages.length === 1) {
      await storeNumbers(service.database, '2026-03-10', { Z: { close: 99 } });
      await completeRun(service.database, '2026-03-10');
    }
  }
  assert.deepEqual(pages, [['A', 'B', 'C'], ['D']]);
  assert.deepEqual((await person.ask<Matches>('GET', at)).data.session, '2026-03-10');
  const earlier = await person.ask<Matches>('GET', `${at}?session=2026-03-06`);
  assert.deepEqual(
    earlier.data.matches.map(({ symbol, new: fresh }) => [symbol, fresh]),
    [['A', true]],
  );
  assert.equal(earlier.data.evaluated, true);
  // One that is younger than the run did not match nothing: it was not asked.
  const { data: young } = await person.ask<Alert>('POST', ALERTS, { name: 'Young', ...rules, universe: ['Z', 'NONE'] });
  const { data: unasked } = await person.ask<Matches>('GET', `${ALERTS}/${young.id}/matches`);
  assert.deepEqual([unasked.session, unasked.evaluated, unasked.total], ['2026-03-10', false, 0]);
  assert.deepEqual(unasked.run?.missing, ['NONE']);
  const unseen = await person.ask<Matches>('GET', `${at}?session=2026-03-05`);
  assert.deepEqual([unseen.data.session, unseen.data.run, unseen.data.total], ['2026-03-05', null, 0]);

  const { next_cursor: foreign } = (await person.ask<Matches>('GET', `${at}?session=2026-03-09&limit=1`)).data;
  for (const [query, message] of [
    ['session=2026-03-07', /^session: the exchange is not open on 2026-03-07/],
    ['session=1789-07-14', /^session: the exchange is not open/],
    ['session=2026-02-30', /^session: must be a date/],
    ['session=yesterday', /^session: must be a date/],
    ['limit=0', /^limit: /],
    ['limit=501', /^limit: /],
    [`cursor=${foreign}`, /^cursor: was not made for this list/],
    ['cursor=x', /^cursor: was not made for this list/],
    ['page=2', /unknown field "page"/],
  ] as const) {
    const reply = await person.ask('GET', `${at}?${query}`);
    assert.equal(reply.status, 400, query);
    assert.match(JSON.parse(reply.body).error.message, message);
  }

  const preview = await person.ask<Matches & { missing: string[] }>('POST', `${ALERTS}/preview`, {
    ...rules,
    universe: ['z', 'NONE'],
  });
  assert.deepEqual([preview.data.session, preview.data.total, preview.data.missing], ['2026-03-10', 1, ['NONE']]);
  assert.equal(preview.data.matches[0]?.values.close, 99);
  const named = await person.ask('POST', `${ALERTS}/preview`, { ...rules, name: 'x' });
  assert.match(named.body, /unknown field \\"name\\"/);
});

test('a preview shows the first 200 and says how many there are', async () => {
  const person = await service.account();
  const numbers = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`S${1000 + i}`, { close: 500 }]));
  await storeNumbers(service.database, '2026-03-11', numbers);
  await completeRun(service.database, '2026-03-11');
  const rules = { universe: 'all', all: [{ field: 'close', op: 'eq', value: 500 }] };
  const { data } = await person.ask<Matches>('POST', `${ALERTS}/preview`, rules);
  assert.deepEqual([data.total, data.matches.length, data.matches[0]?.symbol], [250, 200, 'S1000']);
});
