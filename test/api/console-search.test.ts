import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXAMPLES } from '../../src/api/pages/console/start/examples.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { withGuest } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

let fixture: TestDatabase;
let api: TestApi;
let cookie: string;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_RATE_GUEST: '1000' });
  ({ cookie = '' } = await withGuest(api.identity));
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function open(url: string, headers: Readonly<Record<string, string>> = { cookie }) {
  const {
    statusCode,
    body,
    headers: sent,
  } = await api.app.inject({ url, headers: { accept: 'text/html', ...headers } });
  return { status: statusCode, body, text: textOf(body), cookies: sent['set-cookie'] };
}

/** Returns the text of a page, without its markup. */
function textOf(markup: string): string {
  return markup
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

const params = (entries: Record<string, string>) => `/search?${new URLSearchParams(entries)}`;

test('looking makes no guest session, and the first search makes one', async () => {
  for (const url of ['/', '/search', '/search?q=', '/search?q=%20%20', '/search?local=1&type=market']) {
    const { status, cookies } = await open(url, {});
    assert.deepEqual([status, cookies], [200, undefined], url);
  }
  const early = await open('/search?q=apple', { 'sec-purpose': 'prefetch' });
  assert.deepEqual([early.status, early.cookies], [200, undefined], 'a page that is loaded in advance makes none');
  const { status, cookies } = await open('/search?q=apple', {});
  assert.equal(status, 200);
  assert.match(String(cookies), /^__Host-almanac_guest=[^;]+;.*HttpOnly/);
  assert.equal((await open('/search?q=apple')).cookies, undefined, 'a guest stays the same guest');
});

test('results come by kind, with what is known about each, a picture and the way on', async () => {
  const { status, body, text } = await open(params({ q: 'apple' }));
  assert.equal(status, 200);
  assert.match(text, /2 results for “apple”\./);
  assert.match(text, /Markets 1 .*AAPL Daily bars May 13, 2013 to May 11, 2018 in USD Bundled data/);
  assert.match(text, /Economic series 1 .*Monthly Jan 2000 to Feb 2010 in USD/);
  assert.match(body, /<li class="fact">Jan 2000 to Feb 2010<\/li>/, 'a short fact stays on one line');
  assert.match(body, /<li>May 13, 2013 to May 11, 2018<\/li>/, 'a long one may break between its words');
  assert.match(
    body,
    /<a class="cover" href="\/series\?source=market&amp;symbol=AAPL&amp;provider=bundled&amp;timeframe=1D"/,
  );
  assert.match(body, /href="\/new\?source=market&amp;symbol=AAPL&amp;provider=bundled&amp;timeframe=1D">Forecast/);
  assert.equal(body.match(/<svg class="almanac-chart sparkline"/g)?.length, 2);
  assert.match(body, /aria-label="Recent values, from 155\.5 to 188\.6"/);
  assert.match(body, /<mark>Apple<\/mark> Inc\. common stock/);
  assert.doesNotMatch(text, /No name below contains/);
});

test('a series that needs a choice first has no picture and no forecast, but its page', async () => {
  const { body } = await open(params({ q: 'unemployment by industry' }));
  const [first = ''] = /<li class="result">.*?<\/li>\s*(?=<li class="result">|<\/ol>)/s.exec(body) ?? [];
  assert.match(first, /series_id=us-unemployment-by-industry/);
  assert.doesNotMatch(first, /<svg|href="\/new/);
  assert.match(first, /Open to choose/);
});

test('a typing error finds the series, and the page states which word no name contains', async () => {
  const { text } = await open(params({ q: 'aplle' }));
  assert.match(text, /No name below contains “aplle”\. .* Apple Inc\. common stock/);
});

test('a search while typing says what it leaves out, and leads to the search of all providers', async () => {
  const { body, text } = await open(params({ q: 'apple', local: '1' }));
  assert.match(text, /These come from the listings that are stored here\. Also ask the providers/);
  assert.match(body, /<a class="tap" href="\/search\?q=apple" data-ask>/);
  assert.doesNotMatch((await open(params({ q: 'apple' }))).text, /stored here/);
});

test('pages by cursor show every result once', async () => {
  const shown: string[] = [];
  let url: string | undefined = params({ q: 'us employment', type: 'economic_series' });
  let pages = 0;
  while (url !== undefined) {
    const { status, body, text } = await open(url);
    assert.equal(status, 200);
    if (pages++ === 0) assert.match(text, /The best 20 results for “us employment”\. There are more\./);
    shown.push(...Array.from(body.matchAll(/data-result>(.*?)<\/a>/g), ([, title = '']) => title));
    url = /rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    if (url === undefined) assert.match(text, /more for “us employment”, the last ones\..*Back to the best results/);
  }
  assert.ok(pages >= 2 && shown.length > 20, `${shown.length} results on ${pages} pages`);
  assert.equal(new Set(shown).size, shown.length);
});

test('without results the page offers every remedy that applies', async () => {
  const { status, text } = await open(params({ q: 'zzzzqqqq', type: 'market', local: '1' }));
  assert.equal(status, 200);
  assert.match(text, /No results for “zzzzqqqq”\./);
  for (const remedy of [/Use fewer words/, /Search all kinds/, /Ask the providers/, /Sign in/, /Upload a CSV file/])
    assert.match(text, remedy);
  const all = (await open(params({ q: 'zzzzqqqq' }))).text;
  for (const other of [/Search all kinds/, /Ask the providers/]) assert.doesNotMatch(all, other);
});

test('refuses what is not a query, names it, and keeps what was typed', async () => {
  const long = 'x'.repeat(501);
  const tooLong = await open(params({ q: long }));
  assert.equal(tooLong.status, 400);
  assert.match(tooLong.text, /The search text must have at most 500 characters\./);
  assert.ok(tooLong.body.includes(`value="${long}"`));
  assert.match(tooLong.body, /aria-invalid="true"/);
  for (const [entries, message] of [
    [{ q: 'apple', cursor: 'forged' }, /This link to the next results no longer works\..*Search from the start/],
    [{ q: 'apple', type: 'stocks' }, /Types must be .*Search from the start/],
    [{ q: 'apple', type: 'workspace_csv' }, /Types must be/],
  ] as const) {
    const refused = await open(params(entries));
    assert.equal(refused.status, 400, JSON.stringify(entries));
    assert.match(refused.text, message);
    assert.ok(refused.body.includes('value="apple"'));
  }
});

test('hostile queries are text', async () => {
  for (const q of [
    '"><script>alert(1)</script>',
    "'; DROP TABLE account; --",
    '<img src=x onerror=alert(1)>',
    '{{7*7}} #{7*7}',
    '%00%0d%0aSet-Cookie: x=y',
    '￾ \u202e \ud83d\ude00',
    'javascript:alert(1)',
    '__proto__ constructor',
  ]) {
    const { status, body } = await open(params({ q }));
    assert.ok(status === 200 || status === 400, `${status} for ${q}`);
    assert.doesNotMatch(body, /<script>|<img|onerror=(?!")[^&]*>|href="javascript:/i, q);
  }
  for (const url of [
    '/search?q=a&q=b',
    '/search?q[]=a',
    '/search?q=apple&cursor=a&cursor=b',
    '/search?q=%E0%A4%A',
    '/search?q=apple&type=',
  ])
    assert.ok((await open(url)).status < 500, url);
});

test('a parameter that the address has twice is named', async () => {
  const twice = await open('/search?q=gold&q=oil');
  assert.equal(twice.status, 400);
  assert.match(twice.body, /id="q-error">The address has q more than once\. Search again with one\.</);
  const types = await open('/search?q=gold&type=market&type=economic_series');
  assert.equal(types.status, 400);
  assert.match(types.text, /The address has type more than once\..*Search from the start/);
});

test('a query cannot turn the sentence or the title of the window around', async () => {
  const { body } = await open(params({ q: 'zz\u202eqq' }));
  assert.match(body, /No results for “<bdi>zz\u202eqq<\/bdi>”\./);
  assert.match(body, /<title>zz qq · Search · Almanac<\/title>/);
});

test('only reading is offered, and another method is refused', async () => {
  const { statusCode } = await api.app.inject({ method: 'POST', url: '/search?q=apple', headers: { cookie } });
  assert.ok(statusCode === 404 || statusCode === 405, String(statusCode));
});

test('a rate limit is a page that says when to try again', async () => {
  const limited = await openApi(fixture.database, { ALMANAC_RATE_GUEST: '12' });
  try {
    const { cookie: other = '' } = await withGuest(api.identity);
    const headers = { accept: 'text/html', cookie: other };
    // A search counts the page, the search and the previews.
    const replies = [];
    for (let i = 0; i < 6; i++) replies.push(await limited.app.inject({ url: '/search?q=apple', headers }));
    assert.equal(replies[0]?.statusCode, 200);
    const refused = replies.at(-1);
    assert.equal(refused?.statusCode, 429);
    assert.match(textOf(refused?.body ?? ''), /Too many requests.*Try again in/);
    assert.ok(Number(refused?.headers['retry-after']) > 0);
  } finally {
    await limited.app.close();
  }
});

test('the examples lead to forms of forecasts, and their histories are the bundled rows', async () => {
  const { body } = await open('/', {});
  assert.equal(EXAMPLES.length, 3);
  for (const { source, horizon, forecast } of EXAMPLES) {
    const { history, median, low, high, lastRow } = forecast;
    const address = new RegExp(`href="/new\\?source=${source.type}&amp;[^"]*&amp;horizon=${horizon}"`);
    assert.match(body, address);
    const payload = { source, limit: history.length };
    const url = '/api/v1/market-search/observations';
    const { rows } = (await api.app.inject({ method: 'POST', url, headers: { cookie }, payload })).json();
    assert.equal(rows.at(-1).timestamp.slice(0, 10), lastRow);
    rows.forEach(({ value }: { value: number }, i: number) => {
      assert.ok(Math.abs(value - (history[i] ?? Number.NaN)) <= Math.abs(value) * 1e-5, `${lastRow}: row ${i}`);
    });
    assert.deepEqual([median.length, low.length, high.length], [horizon, horizon, horizon]);
    assert.ok(median.every((value, i) => (low[i] as number) <= value && value <= (high[i] as number)));
  }
});
