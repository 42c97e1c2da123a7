import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { shownText, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { follow, heading, press } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const AAPL = '/series?source=market&symbol=AAPL&timeframe=1D&provider=bundled';
/** More bars than a page contains, so that its script requests them. */
const INDEX = '/series?source=market&symbol=%5EGSPC&timeframe=1D&provider=bundled&limit=50000';
const CO2 = '/series?source=economic_series&provider=bundled&series_id=mauna-loa-co2';
const JOBLESS = '/series?source=economic_series&provider=bundled&series_id=us-unemployment-by-industry';

interface Opening {
  readonly path: string;
  readonly title: string;
}

/** Opens the page of a series and, if scripts run, waits for its chart. */
async function openSeries(page: Page, { url }: FullSite, { path, title }: Opening): Promise<void> {
  await page.goto(url + path);
  await heading(page, title);
  if (path.includes('dim.') || path !== JOBLESS) await waitForChart(page);
}

async function waitForChart(page: Page): Promise<void> {
  const hasScript = await evaluate<boolean>(
    page,
    `performance.getEntriesByType('resource').some(({ name, encodedBodySize }) => /series-\\w+\\.js/.test(name) && encodedBodySize > 0)`,
  );
  if (hasScript)
    await pollPage(page, 'a live chart', () =>
      evaluate<boolean>(
        page,
        `document.querySelector('#chart-live[data-ready]') !== null || document.querySelector('#chart-live') === null`,
      ),
    );
}

const view = (name: string, path: string, title: string): ConsoleView => ({
  name,
  open: (page, site) => openSeries(page, site, { path, title }),
});

const APPLE = 'Apple Inc. common stock (AAPL)';
const MAUNA_LOA = 'Atmospheric CO2 at Mauna Loa';

/** Opens a long history whose rows cannot be read, so that the drawing of the server stays. */
function refused(name: string, words: string, answer: (route: Route) => Promise<void>): ConsoleView {
  return {
    name,
    scriptOnly: true,
    async open(page, site) {
      await page.route('**/api/market-data/**', answer);
      await page.goto(site.url + INDEX);
      await waitForText(page, words, '[role=alert]');
    },
  };
}

const LIMITED = {
  status: 429,
  contentType: 'application/json',
  headers: { 'retry-after': '30' },
  body: JSON.stringify({
    ok: false,
    error: 'RATE_LIMITED',
    message: 'More than 300 requests a minute. Wait 30 s and try again.',
  }),
};

export const seriesViews: readonly ConsoleView[] = [
  view('series-bars', AAPL, APPLE),
  view('series-candles', `${AAPL}&from=2018-02-01`, APPLE),
  view('series-line', CO2, MAUNA_LOA),
  view(
    'series-line-log',
    '/series?source=economic_series&provider=bundled&series_id=shiller-sp-composite&scale=log',
    'S&P composite',
  ),
  view('series-choose', JOBLESS, 'US unemployment by industry'),
  view('series-error', `${AAPL}&from=tomorrow`, APPLE),
  view('series-no-rows', `${AAPL}&from=2015-01-03&to=2015-01-04`, APPLE),
  view('series-unnamed', '/series', 'No series is chosen'),
  view('series-snapshot-gone', `${AAPL}&snapshot=snap_1`, APPLE),
  refused('series-offline', 'No connection', (route) => route.abort()),
  refused('series-rate-limited', 'More than 300 requests a minute.', (route) => route.fulfill(LIMITED)),
];

/** Tests the page of a series. */
export function testSeries(open: () => FullSite): void {
  test('a reader moves, zooms and reads a chart, and a link shows the same part', { skip: noBrowser }, async () => {
    const page = await newPage({ javaScriptEnabled: true, timezoneId: 'Europe/Berlin' });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await openSeries(page, open(), { path: AAPL, title: APPLE });
    await waitForText(page, 'May 11, 2018: Open 189.49, High 190.06, Low 187.45, Close 188.59', '.readout');
    assert.deepEqual(await findViolations(page), []);
    await evaluate(page, `document.querySelector('#chart-live').focus()`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await waitForText(page, 'May 10, 2018: Open 187.74, High 190.37, Low 187.65, Close 190.04', '[aria-live]');
    await page.keyboard.press('+');
    const range = await pollPage(
      page,
      'a range in the address',
      async () => new URL(page.url()).searchParams.get('from') ?? undefined,
    );
    await waitForText(page, 'in this range', '#rows-part');
    const words = await shownText(page, 'figcaption');
    assert.match(String(words), /^\d+ bars from .* to May 10, 2018\./);
    // Older bars are read when the first one comes into view.
    await page.keyboard.press('Home');
    await pollPage(page, 'older bars', async () => String(await shownText(page, 'figcaption')).includes(', 2015'));
    await openSeries(page, open(), { path: `${AAPL}&from=${range}&to=2018-05-10`, title: APPLE });
    assert.equal(await shownText(page, 'figcaption'), words, 'a link shows the same part');
    await openSeries(page, open(), { path: CO2, title: MAUNA_LOA });
    await evaluate(page, `document.querySelector('[data-scale=log]').click()`);
    await pollPage(page, 'the scale in the address', async () => page.url().includes('scale=log'));
    assert.deepEqual(errors, []);
  });

  test('without a script, a series is picked, read and downloaded', { skip: noBrowser }, async () => {
    const page = await newPage();
    await openSeries(page, open(), { path: JOBLESS, title: 'US unemployment by industry' });
    await waitForText(page, 'Choose Industry');
    await page.selectOption('[name="dim.industry"]', 'Government');
    await press(page, 'Show');
    await waitForText(page, '122 rows from Jan 2000 to Feb 2010', 'figcaption');
    await follow(page, '5y');
    await waitForText(page, 'from Feb 2005 to Feb 2010', 'figcaption');
    await follow(page, 'Log');
    assert.match(page.url(), /scale=log/);
    const file = await page.request.get(new URL(await linkTo(page, '#rows a[download]'), page.url()).href);
    assert.match(await file.text(), /^timestamp,rate\r?\n2000-01-31/);
    await follow(page, 'Forecast this');
    assert.match(page.url(), /\/new\?source=economic_series&provider=bundled&/);
  });
}

function linkTo(page: Page, selector: string): Promise<string> {
  const expression = `document.querySelector('${selector}')?.getAttribute('href')`;
  return pollPage(page, selector, () => evaluate<string | undefined>(page, expression));
}
