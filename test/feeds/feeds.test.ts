import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FEED_KINDS } from '../../src/contract/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import {
  bodiesFor,
  completeForecast,
  createFeed,
  FEEDS,
  readFeed,
  type ShownFeed,
} from '../support/feeds/feed-scene.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';

let service: ForecastService;
let account: Caller;
let forecast: { readonly id: string; readonly slug: string };

before(async () => {
  service = await openForecastService(testedKind);
  account = await service.account();
  forecast = await completeForecast(service, account);
});
after(() => service?.[Symbol.asyncDispose]());

/** The same rows as a file of the operation of each kind. */
const operationCsv = {
  history: () => post('/market-data/stocks/history', { symbol: 'AAPL', timeframe: '1D', format: 'csv' }),
  observations: () => post('/v1/market-search/observations', { ...bodyOf('observations').request, format: 'csv' }),
  forecast: () => service.app.inject({ url: `/api${FORECASTS}/${forecast.id}/export`, headers: account.credentials }),
};

function bodyOf(kind: (typeof FEED_KINDS)[number]) {
  return bodiesFor(forecast.id)[kind] as { kind: string; request: Record<string, unknown> };
}

function post(path: string, payload: object) {
  return service.app.inject({ method: 'POST', url: `/api${path}`, headers: account.credentials, payload });
}

for (const kind of FEED_KINDS) {
  test(`a feed of the kind ${kind} returns the CSV of its operation`, async () => {
    const { status, token } = await createFeed(account, bodyOf(kind));
    assert.equal(status, 201);
    const expected = await operationCsv[kind]();
    assert.equal(expected.statusCode, 200);
    // No other credential counts, not even an invalid one.
    const read = await readFeed(service.app, token, { headers: { authorization: 'Bearer nonsense', cookie: 'a=b' } });
    assert.equal(read.statusCode, 200);
    assert.ok(read.body.length > 50);
    assert.equal(read.body, expected.body);
    assert.equal(read.headers['content-type'], expected.headers['content-type']);
    assert.match(String(expected.headers['content-disposition']), /^attachment/);
    assert.equal(
      read.headers['content-disposition'],
      String(expected.headers['content-disposition']).replace('attachment', 'inline'),
    );
    assert.equal(read.headers['cache-control'], 'private, max-age=0, must-revalidate');
    assert.equal(read.headers['x-snapshot-id'], expected.headers['x-snapshot-id']);
    assert.equal('set-cookie' in read.headers, false);

    const etag = String(read.headers.etag);
    const again = await readFeed(service.app, token, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag]);
    const other = await readFeed(service.app, token, { headers: { 'if-none-match': '"another"' } });
    assert.equal(other.statusCode, 200);
    const head = await readFeed(service.app, token, { method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', etag]);
  });
}

test('shows the URL once, lists feeds without it, and deletes a feed once', async () => {
  const owner = await service.account();
  const named = await createFeed(owner, { ...bodyOf('history'), name: 'Dashboard' });
  const { url, ...shown } = named.data;
  assert.match(url, /^http:\/\/127\.0\.0\.1:8080\/api\/v1\/feeds\/alm_fed_\w{49}$/);
  assert.ok(url.startsWith(`${SITE_URL}/api/v1/feeds/`));
  assert.match(shown.id, /^feed_/);
  assert.deepEqual([shown.name, shown.last_read_at], ['Dashboard', null]);
  assert.deepEqual(shown.request, {
    symbol: 'AAPL',
    source: 'auto',
    timeframe: '1D',
    limit: 500,
    adjustment: 'split',
    session: 'regular',
  });
  const second = await createFeed(owner, bodyOf('observations'));
  assert.equal(second.data.name, null);
  const read = await readFeed(service.app, named.token);
  assert.equal(read.statusCode, 200);

  const list = await owner.request<{ feeds: ShownFeed[] }>('GET', FEEDS);
  assert.deepEqual(
    list.data.feeds.map(({ id }) => id),
    [second.data.id, shown.id],
  );
  assert.doesNotMatch(list.body, /alm_fed_|"url"/);
  const { last_read_at, ...others } = list.data.feeds[1] ?? assert.fail();
  assert.deepEqual({ ...others, last_read_at: null }, shown);
  assert.ok(Date.parse(last_read_at ?? '') >= Date.parse(shown.created_at));

  const events = await owner.request<{ events: { kind: string; details: object }[] }>('GET', '/v1/me/security-events');
  assert.deepEqual(events.data.events.find(({ kind }) => kind === 'feed_created')?.details, {
    feed_id: second.data.id,
    kind: 'observations',
  });

  const path = `${FEEDS}/${shown.id}`;
  const another = await service.account();
  assert.equal((await another.request('DELETE', path)).status, 404, 'a feed of another account');
  assert.equal((await owner.request('DELETE', `${FEEDS}/${named.token}`)).status, 404, 'the token is not the id');
  assert.equal((await readFeed(service.app, named.token)).statusCode, 200);
  assert.deepEqual((await owner.request('DELETE', path)).data, { id: shown.id, removed: true });
  assert.equal((await readFeed(service.app, named.token)).statusCode, 404, 'from the next request on');
  assert.equal((await owner.request('DELETE', path)).code, 'NOT_FOUND');
  assert.equal((await owner.request<{ feeds: ShownFeed[] }>('GET', FEEDS)).data.feeds.length, 1);
});

test('stores a forecast by its id, and refuses one that is not completed', async () => {
  const bySlug = await createFeed(account, { kind: 'forecast', request: { forecast_id: forecast.slug } });
  assert.deepEqual(bySlug.data.request, { forecast_id: forecast.id });
  const { data: queued } = await create(account);
  const early = await createFeed(account, { kind: 'forecast', request: { forecast_id: queued.forecast_id } });
  assert.equal(early.code, 'NOT_COMPLETED');
});

test('refuses requests that the operation of the kind would refuse, and names the field', async () => {
  const history = (request: object) => ({ kind: 'history', request: { symbol: 'AAPL', timeframe: '1D', ...request } });
  const untouched = await readTableVersions(service.database);
  for (const [body, code, message] of [
    [{}, 'INVALID_REQUEST', /kind/],
    [{ kind: 'everything', request: {} }, 'INVALID_REQUEST', /kind/],
    [{ kind: 'history' }, 'INVALID_REQUEST', /request: is required/],
    [{ kind: 'history', request: 'AAPL' }, 'INVALID_REQUEST', /request: must be of the type object/],
    [history({ symbol: undefined }), 'INVALID_REQUEST', /request\.symbol: is required/],
    [history({ format: 'json' }), 'INVALID_REQUEST', /request: unknown field "format"/],
    [history({ cursor: 'x' }), 'INVALID_REQUEST', /request: unknown field "cursor"/],
    [history({ snapshot_id: 'x' }), 'INVALID_REQUEST', /request: unknown field "snapshot_id"/],
    [history({ limit: 7 }), 'INVALID_REQUEST', /request\.limit/],
    [history({ symbol: 'A\u0000' }), 'INVALID_REQUEST', /request\.symbol/],
    [{ ...history({}), name: 'x'.repeat(101) }, 'INVALID_REQUEST', /name/],
    [{ ...history({}), token: 'mine' }, 'INVALID_REQUEST', /unknown field "token"/],
    [history({ start: '2024-01-02T00:00:00Z', end: '2024-01-01T00:00:00Z' }), 'INVALID_REQUEST', /end/],
    [history({ symbol: 'NOSUCHSYMBOL' }), 'NOT_FOUND', /NOSUCHSYMBOL/],
    [
      {
        kind: 'observations',
        request: { source: { type: 'economic_series', provider: 'bundled', series_id: 'none' } },
      },
      'NOT_FOUND',
      /none/,
    ],
    [{ kind: 'observations', request: { source: { type: 'workspace_csv' } } }, 'INVALID_REQUEST', /request\.source/],
    [{ kind: 'forecast', request: { forecast_id: 'ef_none' } }, 'NOT_FOUND', /No forecast/],
    [{ kind: 'forecast', request: { symbol: 'AAPL' } }, 'INVALID_REQUEST', /request\.forecast_id: is required/],
  ] as const) {
    const refused = await createFeed(account, body);
    assert.equal(refused.code, code, JSON.stringify([body, refused.body]));
    assert.match(JSON.parse(refused.body).error.message, message);
  }
  assert.deepEqual(await readTableVersions(service.database), untouched);
});

test('refuses the 51st feed until another one is deleted', async () => {
  const owner = await service.account();
  const { id: last } = await makeFeed(service.identity, owner.accountId ?? '');
  await sql`
    INSERT INTO feed (id, account_id, kind, request, token_hash, created_at)
    SELECT id || n, account_id, kind, request, token_hash || n, created_at FROM feed, generate_series(1, 49) AS n
    WHERE id = ${last}`.execute(service.database.query());
  const refused = await createFeed(owner, bodyOf('history'));
  assert.deepEqual([refused.status, refused.code], [409, 'LIMIT_REACHED']);
  assert.match(refused.body, /at most 50 feeds\. Delete one first/);
  await owner.request('DELETE', `${FEEDS}/${last}`);
  assert.equal((await createFeed(owner, bodyOf('history'))).status, 201);
});

const onPostgres = { skip: testedKind === 'pglite' && 'PGlite runs one transaction at a time' };

test('of sixty concurrent requests, fifty create a feed', onPostgres, async () => {
  const owner = await service.account();
  const replies = await Promise.all(Array.from({ length: 60 }, () => createFeed(owner, bodyOf('history'))));
  const count = (code: string | undefined) => replies.filter((reply) => reply.code === code).length;
  assert.deepEqual([count(undefined), count('LIMIT_REACHED')], [50, 10]);
  const { data } = await owner.request<{ feeds: ShownFeed[] }>('GET', FEEDS);
  assert.equal(data.feeds.length, 50);
});
