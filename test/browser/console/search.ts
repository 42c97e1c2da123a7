import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ANONYMOUS } from '../../../src/access/index.ts';
import { type ConsolePage, renderConsole } from '../../../src/api/pages/console/document.ts';
import { errorPage } from '../../../src/api/pages/console/error-page.ts';
import type { FoundPage } from '../../../src/api/pages/console/search/render-results.ts';
import { showFound } from '../../../src/api/pages/console/search/search-page.ts';
import { Fault } from '../../../src/contract/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { waitForControl, waitForFocus, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { follow, heading, press, pressKey } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

/** Returns a view of an address of the search page. */
function searchView(name: string, address: string): ConsoleView {
  return {
    name: `search-${name}`,
    async open(page, { url }) {
      await page.goto(`${url}${address}`);
      await heading(page, 'Search');
    },
  };
}

/** What the service of the tests cannot find: it has neither live providers nor tables. */
const LIVE: FoundPage = {
  request: { query: 'oil', type: null, isLocal: false, cursor: null },
  nextCursor: null,
  unavailable: ['fred', 'dbnomics'],
  isAccount: false,
  results: [
    {
      preview: { values: Array.from({ length: 40 }, (_, i) => 60 + 12 * Math.sin(i / 4) + i / 2) },
      result: {
        source: { type: 'market', symbol: 'OILX', timeframe: '1D' },
        title: 'Oil Exploration Trust',
        provider: 'alpaca',
        frequency: '1D',
        span: null,
        units: 'USD',
        status: 'delisted',
      },
    },
    {
      preview: null,
      result: {
        source: { type: 'economic_series', provider: 'eurostat', series_id: 'nrg_cb_oilm' },
        title: 'Supply and transformation of oil and petroleum products, monthly data, for all countries of the union',
        provider: 'eurostat',
        frequency: 'varies',
        span: null,
        units: '',
      },
    },
    {
      preview: null,
      result: {
        source: { type: 'warehouse_table', table: 'local.wells', time_field: 'date', value_field: 'oil_barrels' },
        title: 'Wells: oil_barrels',
        provider: 'local',
        frequency: '1D',
        span: { start: '2015-01-01T00:00:00.000Z', end: '2024-06-30T00:00:00.000Z' },
        units: '',
      },
    },
  ],
};

/** Answers an address of the service with a page that was rendered here. */
async function answerWith(page: Page, pattern: string | RegExp, shown: ConsolePage, headers = {}): Promise<void> {
  const body = renderConsole(shown, { principal: ANONYMOUS, address: '/search' });
  const response = { status: shown.status ?? 200, contentType: 'text/html', headers, body };
  await page.route(pattern, (route) => route.fulfill(response));
}

async function typeQuery(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/search?q=apple`);
  await heading(page, 'Search');
  await page.keyboard.press('/');
  await page.keyboard.insertText('oil');
}

const LIMITED = new Fault('RATE_LIMITED', 'More than 300 requests a minute. Wait 42 s and try again.', {
  retryAfter: 42,
});

export const searchViews: readonly ConsoleView[] = [
  searchView('empty', '/search'),
  searchView('results', '/search?q=us+employment'),
  searchView('spelling', '/search?q=aplle&local=1'),
  searchView('nothing', '/search?q=zzzzqqqq&type=market&local=1'),
  searchView('long', `/search?q=${'x'.repeat(501)}`),
  searchView('address', '/search?q=apple&cursor=forged'),
  {
    name: 'search-providers',
    async open(page, { url }) {
      await answerWith(page, `${url}/search?q=oil`, showFound(LIVE));
      await page.goto(`${url}/search?q=oil`);
      await heading(page, 'Search');
    },
  },
  {
    name: 'search-loading',
    scriptOnly: true,
    async open(page, { url }) {
      await page.route(/q=oil/, () => {});
      await typeQuery(page, url);
      await page.keyboard.press('Enter');
      await waitForText(page, 'Asking the providers', '#count');
    },
  },
  {
    name: 'search-limited',
    scriptOnly: true,
    async open(page, { url }) {
      const shown = errorPage(LIMITED, { id: '0190163d-8694-739b-aea5-966c26f8ad91', method: 'GET', url: '/search' });
      await answerWith(page, /q=oil/, shown, { 'retry-after': '42' });
      await typeQuery(page, url);
      await waitForText(page, 'Too many requests', '#results');
    },
  },
  {
    name: 'search-offline',
    scriptOnly: true,
    async open(page, { url }) {
      await page.goto(`${url}/search?q=apple`);
      await heading(page, 'Search');
      // The browser itself would report a failed request as an error of the page.
      await evaluate(page, `window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))`);
      await page.keyboard.press('/');
      await page.keyboard.insertText('oil');
      await waitForText(page, 'No connection', '#results');
    },
  },
];

/** Replaces the text of the search field. */
async function fillQuery(page: Page, query: string): Promise<void> {
  await evaluate(page, `{ const field = document.getElementById('q'); field.focus(); field.select(); }`);
  await page.keyboard.insertText(query);
}

/** Tests the search page. */
export function testSearch(open: () => FullSite): void {
  test('a search by keyboard finds a series while it is typed and opens it', { skip: noBrowser }, async () => {
    const { url } = open();
    const page = await newPage({ javaScriptEnabled: true });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${url}/search`);
    await heading(page, 'Search');
    await waitForFocus(page, '#q');
    for (const letters of ['a', 'ap', 'apple']) {
      await fillQuery(page, letters);
    }
    await waitForText(page, '2 results for “apple”.', '#count');
    await waitForText(page, 'Apple Inc. common stock', '#results');
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.press('Enter');
    await pollPage(page, 'the search of all providers', async () => page.url() === `${url}/search?q=apple`);
    await pollPage(page, 'its results', () =>
      evaluate<boolean>(page, `!document.querySelector('[data-ask], [aria-busy=true]')`),
    );
    for (const key of ['ArrowDown', 'ArrowDown', 'Home']) await page.keyboard.press(key);
    await waitForFocus(page, '[href*="symbol=AAPL"][data-result]');
    await page.keyboard.press('Escape');
    await waitForFocus(page, '#q');
    await page.goBack();
    await pollPage(page, 'the search before', async () => page.url() === `${url}/search?q=apple&local=1`);
    await waitForText(page, 'listings that are stored here', '#results');
    await page.keyboard.press('ArrowDown');
    await pressKey(page, 'Enter');
    assert.match(page.url(), /\/series\?source=market&symbol=AAPL/);
    assert.deepEqual(errors, []);
  });

  test('the search works without a script', { skip: noBrowser }, async () => {
    const { url } = open();
    const page = await newPage();
    await page.goto(url);
    await fillQuery(page, 'us employment');
    await press(page, 'Search');
    await heading(page, 'Search');
    await waitForText(page, 'The best 20 results for “us employment”. There are more.');
    assert.equal(await evaluate(page, `document.getElementById('q').value`), 'us employment');
    await follow(page, 'More results');
    await waitForText(page, 'more for “us employment”');
    await follow(page, 'Markets');
    await page.waitForURL(/type=market/);
    await fillQuery(page, 'zzzzqqqq');
    await press(page, 'Search');
    await waitForControl(page, { role: 'heading', level: 2, name: 'Nothing here has that name' });
    assert.equal(page.url(), `${url}/search?q=zzzzqqqq&type=market`, 'the kind stays chosen');
    await follow(page, 'Search all kinds');
    assert.equal(page.url(), `${url}/search?q=zzzzqqqq`);
  });
}
