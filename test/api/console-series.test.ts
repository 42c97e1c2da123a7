import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { createFredScene } from '../support/datasets/fred-scene.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { startDukascopyServer } from '../support/market/dukascopy-server.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';

const UNLIMITED = { ALMANAC_RATE_ANONYMOUS: '1000000', ALMANAC_RATE_GUEST: '1000000' };
const AAPL = '/series?source=market&symbol=AAPL&timeframe=1D&provider=bundled';
const CO2 = '/series?source=economic_series&provider=bundled&series_id=mauna-loa-co2';
const WEATHER = '/series?source=economic_series&provider=bundled&series_id=daily-weather';
const JOBLESS = '/series?source=economic_series&provider=bundled&series_id=us-unemployment-by-industry';

const HOUR_MS = 3_600_000;

/** Starts a provider of quotes with one minute in each of 30 hours. */
function startQuotes() {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const minute = Array.from({ length: 30 }, (_, i) => ({
    timestamp: now - (30 - i) * HOUR_MS,
    ...{ open: 5 + i, high: 7 + i, low: 4 + i, close: 6 + i, volume: 1 },
  }));
  const coin = { code: 'BTC-USD', group: 'VCCY', bid: { minute }, ask: { minute } } as const;
  return startDukascopyServer({ histories: [coin], clock: Date.now });
}

/** Returns the data that a page contains for its script. */
function dataOf(body: string) {
  const [, text = 'null'] = /id="series-data">(.*?)<\/script>/s.exec(body) ?? [];
  return JSON.parse(text);
}

function linkOf(body: string, text: string): string {
  const link = [...body.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>(.*?)<\/a>/gs)].find(([, , label]) =>
    label?.includes(text),
  );
  assert.ok(link, `a link ${text}`);
  return (link[1] ?? '').replaceAll('&amp;', '&');
}

describe('the page of a series', () => {
  const open = new AsyncDisposableStack();
  let api: TestApi;
  const visitor = () => pageVisitor(api.app);

  before(async () => {
    const { database } = open.use(await openTestDatabase(testedKind, { migrations: MIGRATIONS }));
    const quotes = open.use(await startQuotes());
    const fred = open.use(await createFredScene());
    api = await openApi(database, {
      ...UNLIMITED,
      ALMANAC_MARKET_PROVIDERS: 'dukascopy',
      ALMANAC_DUKASCOPY_URL: quotes.url,
      ALMANAC_DUKASCOPY_REQUESTS_PER_MINUTE: '6000',
      ALMANAC_DENIED_LICENSES: 'CC BY 4.0',
      ALMANAC_ECONOMIC_PROVIDERS: 'fred,ecb',
      ALMANAC_FRED_KEY: fred.key ?? '',
      ALMANAC_FRED_URL: fred.server.url,
      // Nothing listens here.
      ALMANAC_ECB_URL: 'http://127.0.0.1:9',
    });
    open.defer(() => api.app.close());
  });
  after(() => open.disposeAsync());

  test('an address without a series makes no guest and leads to the search', async () => {
    const browser = visitor();
    const page = await browser.get('/series');
    assert.equal(page.status, 200);
    assert.match(page.text, /No series is chosen/);
    assert.equal((await browser.get('/series?source=secret')).status, 400);
    assert.equal(browser.cookies.size, 0);
  });

  test('shows bars with their facts, choices, numbers and snapshot; a download makes the guest session', async () => {
    const browser = visitor();
    const { status, body, text } = await browser.get(AAPL);
    assert.equal(status, 200);
    assert.equal(browser.cookies.size, 0, 'looking makes no guest session');
    await browser.get(AAPL.replace('/series', '/series.csv'));
    assert.equal(browser.cookies.size, 1, 'a download makes one');
    assert.match(text, /Apple Inc\. common stock \(AAPL\)/);
    assert.match(text, /500 bars from May 18, 2016 to May 11, 2018\. The last close is 188\.59 USD/);
    assert.match(text, /May 11, 2018 189\.49 190\.06 187\.45 188\.59/);
    assert.match(body, /name="adjustment"[^>]*><option value="split" selected>/);
    assert.doesNotMatch(body, /name="session"|name="price_side"|name="vintage"/);
    assert.match(
      linkOf(body, 'Forecast this'),
      /^\/new\?source=market&symbol=AAPL&provider=bundled&timeframe=1D$|^\/new\?source=market&/,
    );
    assert.match(linkOf(body, 'Week'), /timeframe=1W-MON/);
    // The sentence is before the part that scrolls sideways, which has no window that hides some of the 50 rows.
    assert.match(body, /<p class="hint" id="rows-part">The last 50 of 500 bars [^<]*<\/p>\s*<div class="scroll" /);
    assert.doesNotMatch(body, / style=|<style/);
    assert.equal(dataOf(body).rows.timestamps.length, 500);
  });

  test('a link to the snapshot shows the same rows, and the file has exactly them', async () => {
    const browser = visitor();
    const first = await browser.get(`${AAPL}&limit=1000`);
    const again = await browser.get(linkOf(first.body, 'Link to exactly these rows'));
    assert.equal(again.status, 200);
    assert.match(again.text, /These are the rows of one snapshot/);
    assert.deepEqual(dataOf(again.body).rows, dataOf(first.body).rows);
    assert.equal(dataOf(again.body).older, null);
    const file = await browser.get(linkOf(first.body, 'Download CSV'));
    assert.equal(file.status, 200);
    assert.match(String(file.headers['content-type']), /^text\/csv/);
    assert.equal(file.body.trim().split('\n').length, 1_001);
  });

  test('the range and the scale of the address choose what the chart and the table show', async () => {
    const { body, text } = await visitor().get(`${AAPL}&from=2014-01-01&to=2014-01-10&scale=log`);
    assert.match(text, /7 bars from Jan 2, 2014 to Jan 10, 2014/);
    assert.match(text, /All 7 bars in this range/);
    const data = dataOf(body);
    assert.ok(data.isLog);
    assert.ok(data.rows.timestamps.length > 1_000, 'the rows after the range are there for the script');
    assert.match(body, /data-scale="log" aria-current="true"/);
    const browser = visitor();
    for (const [range, bars] of [
      ['&from=2014-01-01&to=2014-01-10', 7],
      ['&to=2016-05-20', 3],
      ['&from=2018-05-10', 2],
    ] as const) {
      const page = await browser.get(`${AAPL}${range}`);
      assert.match(page.text, new RegExp(`Download CSV \\(${bars}\\).* All ${bars} bars in this range`), range);
      const file = await browser.get(linkOf(page.body, 'Download CSV'));
      assert.equal(file.body.trim().split('\n').length, bars + 1, range);
    }
    const empty = await visitor().get(`${AAPL}&from=2030-01-01`);
    assert.match(empty.text, /No rows/);
  });

  test('a required dimension is picked from a list before any row is read', async () => {
    const { status, text, body } = await visitor().get(JOBLESS);
    assert.equal(status, 200);
    assert.match(text, /Choose Industry/);
    assert.match(body, /<select id="dim\.industry" name="dim\.industry">/);
    assert.doesNotMatch(body, /series-data|<svg xmlns/);
    const chosen = await visitor().get(`${JOBLESS}&dim.industry=Mining+and+Extraction`);
    assert.match(chosen.text, /122 rows from Jan 2000 to Feb 2010/);
    // The first of several values, because a line shows one.
    assert.match(linkOf(chosen.body, 'Forecast this'), /value_field=rate&?/);
  });

  test('a wrong dimension, value or range is the error of its field, and the choices stay', async () => {
    const wrong = await visitor().get(`${WEATHER}&dim.location=Paris`);
    assert.equal(wrong.status, 400);
    assert.match(wrong.body, /<a href="#dim\.location">/);
    assert.match(wrong.body, /id="dim\.location"[^>]*aria-invalid="true"/);
    assert.match(wrong.body, /<option value="Paris" selected>/);
    for (const [query, words] of [
      ['&from=yesterday', /From: must be a date such as/],
      ['&from=2020-01-01&to=2019-01-01', /To: must be after From/],
      ['&limit=7', /Rows: must be one of 500/],
      ['&scale=cubic', /Scale: must be linear or log/],
      ['&value_field=secret', /Value: must be one of open, high, low, close, volume/],
      ['&from=2020-01-01&from=2021-01-01', /From: must be given once/],
    ] as const) {
      const page = await visitor().get(`${AAPL}${query}`);
      assert.equal(page.status, 400, query);
      assert.match(page.text, words);
      assert.match(page.text, /500 bars from|No rows/, 'the page is still there');
    }
  });

  test('an interval that is missing is daily, and a wrong one is named and can be picked', async () => {
    const APPLE = '/series?source=market&symbol=AAPL&provider=bundled';
    const browser = visitor();
    const missing = await browser.get(APPLE);
    assert.equal(missing.status, 200);
    assert.match(missing.text, /500 bars from May 18, 2016/);
    for (const [query, words] of [
      ['&timeframe=7D', /Interval: the address has a value that is not on offer\. Choose another\./],
      ['&timeframe=1D&timeframe=1h', /Interval: the address has it more than once\. Choose one\./],
      ['&timeframe=1D&adjustment=none', /Prices adjusted: the address has a value that is not on offer/],
      ['&timeframe=1D&value_field=open&value_field=close', /Value: the address has it more than once/],
    ] as const) {
      const page = await browser.get(`${APPLE}${query}`);
      assert.equal(page.status, 400, query);
      assert.match(page.text, words);
      assert.match(page.text, /500 bars from/);
      assert.doesNotMatch(page.text, /source\./);
    }
    const wrong = await browser.get(`${APPLE}&timeframe=7D&adjustment=none`);
    assert.match(wrong.body, /<select id="timeframe" name="timeframe" aria-invalid="true"[^>]*><option value="/);
    assert.match(wrong.body, /<select id="adjustment" name="adjustment" aria-invalid="true"/);
  });

  test('escapes everything that comes from the address', async () => {
    const evil = encodeURIComponent('"><script>alert(1)</script>');
    for (const path of [
      `${AAPL}&from=${evil}`,
      `${AAPL}&snapshot=${evil}`,
      `${WEATHER}&dim.location=${evil}`,
      `${WEATHER}&dim.${evil}=1`,
      `${CO2}&value_field=${evil}`,
      `/series?source=market&symbol=${evil}&timeframe=1D`,
    ]) {
      const { status, body } = await visitor().get(path);
      assert.ok(status >= 400 && status < 500, `${status} ${path}`);
      assert.doesNotMatch(body, /<script>alert/);
    }
  });

  test('bars within a day have instants in UTC, and quotes have sides', async () => {
    const COIN = '/series?source=market&symbol=BTCUSD&timeframe=1h&price_side=bid';
    const { status, body, text } = await visitor().get(COIN);
    assert.equal(status, 200, text);
    assert.match(body, /name="price_side"[^>]*><option value="bid" selected>Bid<\/option><option value="ask">/);
    assert.match(body, /<th scope="row"><time datetime="[^"]+:00:00\.000Z" data-local>[\d-]+ \d\d:00 UTC<\/time>/);
    const data = dataOf(body);
    assert.ok(data.isIntraday);
    const [, second] = data.rows.timestamps.map((time: number) => new Date(time).toISOString());
    const later = await visitor().get(`${COIN}&from=${second.slice(0, 16)}Z`);
    assert.match(later.text, new RegExp(`All ${data.rows.timestamps.length - 1} bars in this range`));
  });

  test('shows vintages of a series that has them, and what its provider states', async () => {
    const GDP = '/series?source=economic_series&provider=fred&series_id=GDP';
    const { text, body } = await visitor().get(GDP);
    assert.match(text, /29,374\.9\d* Billions of Dollars/);
    assert.match(text, /Units contain 1,000,000,000/);
    assert.match(text, /Seasonally Adjusted Annual Rate/);
    assert.match(body, /id="vintage" name="vintage" type="date"/);
    const early = await visitor().get(`${GDP}&vintage=1900-01-01`);
    assert.equal(early.status, 422);
    assert.match(early.text, /before the first vintage/);
  });

  test('a provider that does not respond is a page with a way to try again', async () => {
    const { status, text } = await visitor().get('/series?source=economic_series&provider=ecb&series_id=EXR');
    assert.equal(status, 502);
    assert.match(text, /The data provider does not respond/);
  });

  test('rows that may not be read leave the facts, the choices and a way on', async () => {
    const denied = await visitor().get(CO2);
    assert.equal(denied.status, 403);
    assert.match(denied.text, /CC BY 4\.0 Denied on this service/);
    assert.doesNotMatch(denied.body, /series-data/);
    const gone = await visitor().get(`${AAPL}&snapshot=snap_01M7Q2ET2WPZHAYZC7Z4W73GJ1`);
    assert.equal(gone.status, 404);
    assert.match(gone.text, /These stored rows are no longer kept\./);
    assert.match(gone.text, /About this series/);
    assert.doesNotMatch(linkOf(gone.body, 'Read the current rows'), /snapshot/);
    assert.equal(linkOf(gone.body, 'Search for another series'), '/search');
  });

  test('a file needs a series, and its errors name the parameter', async () => {
    const browser = visitor();
    for (const [path, words] of [
      ['/series.csv', /Source must be market/],
      [`${CO2.replace('/series?', '/series.csv?')}&from=2000-01-01`, /A file of this series has all its rows/],
      [`${AAPL.replace('/series?', '/series.csv?')}&limit=3`, /Rows: must be one of/],
    ] as const) {
      const page = await browser.get(path);
      assert.equal(page.status, 400, path);
      assert.match(page.text, words);
    }
    assert.equal(browser.cookies.size, 0, 'a refused request makes no guest');
    const file = await browser.get(`${AAPL.replace('/series?', '/series.csv?')}&from=2018-05-01&to=2018-05-03`);
    assert.deepEqual(
      file.body
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 10)),
      ['timestamp,', '2018-05-01', '2018-05-02', '2018-05-03'],
    );
  });
});
