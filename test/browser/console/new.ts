import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ANONYMOUS } from '../../../src/access/index.ts';
import { renderConsole } from '../../../src/api/pages/console/document.ts';
import { errorPage } from '../../../src/api/pages/console/error-page.ts';
import { renderCost } from '../../../src/api/pages/console/new/cost.ts';
import type { Visitor } from '../../../src/api/pages/console/visitor.ts';
import { Fault } from '../../../src/contract/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, readField, waitForControl, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { follow, heading, press } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const CO2 = '/new?source=economic_series&provider=bundled&series_id=mauna-loa-co2&value_field=co2';
const CO2_TITLE = 'Atmospheric CO2 at Mauna Loa';
/** Choices for a forecast of it that takes a moment. */
const FEW_ROWS = `${CO2}&limit=60&model.ets=on`;

async function openForm(page: Page, { url }: FullSite, address = CO2, title = CO2_TITLE): Promise<void> {
  await page.goto(`${url}${address}`);
  await heading(page, title);
}

/** Returns a view of an address of the form. */
function formView(name: string, address: string, title = CO2_TITLE): ConsoleView {
  return { name: `new-${name}`, open: (page, site) => openForm(page, site, address, title) };
}

/** Types a horizon, after the answer to the next estimate was prepared. */
async function typeHorizon(page: Page, horizon: string): Promise<void> {
  await fillField(page, 'Horizon in months', horizon);
}

/** Makes a small forecast and waits for its result. @returns the address of its replays */
async function makeForecast(page: Page, site: FullSite): Promise<string> {
  await openForm(page, site, `${FEW_ROWS}&horizon=3`);
  await press(page, 'Forecast');
  const { pathname } = new URL(page.url());
  // The page of the forecast loads itself again when it has completed, which would interrupt the next navigation.
  await page.goto('about:blank');
  await waitUntilCompleted(page, site, pathname);
  return `${pathname}/replays`;
}

async function waitUntilCompleted(page: Page, { url }: FullSite, pathname: string): Promise<void> {
  const address = `${url}/api/v1/ensemble-forecasts/${pathname.split('/')[2]}`;
  await pollPage(page, 'a completed forecast', async () => {
    const response = await page.request.get(address);
    const { data } = await response.json();
    return data.status === 'completed';
  });
}

const LIMITED = new Fault('RATE_LIMITED', 'More than 300 requests a minute. Wait 42 s and try again.', {
  retryAfter: 42,
});

const TAKEN = new Fault(
  'QUOTA_EXCEEDED',
  'You can have one forecast queued or running. No slot is left for this one. Wait for one to finish or cancel one.',
  { retryAfter: 5 },
);

export const newViews: readonly ConsoleView[] = [
  formView('empty', '/new', 'What do you want to forecast?'),
  formView('unknown', '/new?source=inline', 'What do you want to forecast?'),
  formView('form', CO2),
  formView('market', '/new?source=market&symbol=AAPL&provider=bundled&timeframe=1D', 'Apple Inc. common stock'),
  formView('refused', `${CO2}&horizon=97&seed=x&quantiles=2&weight_mode=manual`),
  formView(
    'dimensions',
    '/new?source=economic_series&provider=bundled&series_id=us-unemployment-by-industry',
    'US unemployment by industry',
  ),
  formView('missing', '/new?source=market&symbol=NOTHING&timeframe=1D', 'There is nothing here'),
  {
    name: 'new-busy',
    async open(page, site) {
      const busy = [{ slug: 'air', name: 'mauna-loa-co2, 12 months', status: 'running' }];
      const visitor = { principal: { kind: 'guest', guestId: 'gst_1' } } as Visitor;
      const cost = { estimate: null, problem: TAKEN, errors: {}, busy };
      const panel = renderCost(cost, { visitor, address: CO2, formatPeriods: String }).text;
      // A forecast that really runs would have ended in some of the looks.
      await page.route(`${site.url}${CO2}`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(
          /<div id="cost".*?(?=<p class="away" role="status")/s,
          () => panel,
        );
        await route.fulfill({ response, body });
      });
      await openForm(page, site);
      await waitForText(page, 'Another forecast is still running', '#cost');
    },
  },
  {
    name: 'new-loading',
    scriptOnly: true,
    async open(page, site) {
      await openForm(page, site);
      await page.route(/part=cost/, () => {});
      await typeHorizon(page, '24');
      await pollPage(page, 'a cost that is read', () =>
        evaluate<boolean>(page, `document.querySelector('#cost[aria-busy]') !== null`),
      );
    },
  },
  {
    name: 'new-limited',
    scriptOnly: true,
    async open(page, site) {
      await openForm(page, site);
      const shown = errorPage(LIMITED, { id: '0190163d-8694-739b-aea5-966c26f8ad91', method: 'GET', url: '/new' });
      const body = renderConsole(shown, { principal: ANONYMOUS, address: '/new' });
      const headers = { 'retry-after': '42' };
      await page.route(/part=cost/, (route) => route.fulfill({ status: 429, contentType: 'text/html', headers, body }));
      await typeHorizon(page, '24');
      await waitForText(page, 'The cost is read again in', '#cost');
    },
  },
  {
    name: 'new-offline',
    scriptOnly: true,
    async open(page, site) {
      await openForm(page, site);
      await page.route(/part=cost/, (route) => route.abort());
      await typeHorizon(page, '24');
      await waitForText(page, 'cannot be reached', '#cost');
    },
  },
  {
    name: 'replays-empty',
    async open(page, site) {
      await page.goto(`${site.url}${await makeForecast(page, site)}`);
      await heading(page, 'What would it have said earlier?');
    },
  },
  {
    name: 'replays-unknown',
    async open(page, { url }) {
      await page.goto(`${url}/forecasts/some-forecast/replays`);
      await heading(page, 'There is nothing here');
    },
  },
  {
    name: 'replays',
    async open(page, site) {
      const path = await makeForecast(page, site);
      for (const cutoff of ['120', '2019-01-31']) await makeReplay(page, site, path, cutoff);
      await page.goto(`${site.url}${path}?cutoff=yesterday`);
      await heading(page, 'What would it have said earlier?');
    },
  },
];

/** Makes a replay by its form and waits until it is on the page. */
async function makeReplay(page: Page, { url }: FullSite, path: string, cutoff: string): Promise<void> {
  await page.goto(`${url}${path}?cutoff=${cutoff}`);
  await press(page, 'Make this replay');
  await pollPage(page, 'the completed replay', async () => {
    await page.goto(`${url}${path}`);
    return evaluate<boolean>(page, `document.querySelector('[data-running]') === null`);
  });
}

/** Tests the form of a new forecast and the replays of one. */
export function testNew(open: () => FullSite): void {
  test('the cost follows the choices while they are typed, and the form makes one forecast', {
    skip: noBrowser,
  }, async () => {
    const site = open();
    const page = await newPage({ javaScriptEnabled: true });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await openForm(page, site, FEW_ROWS);
    assert.deepEqual(await findViolations(page), []);

    await typeHorizon(page, '97');
    await waitForText(page, 'Horizon: your plan allows at most 96.', '#horizon-error');
    await waitForText(page, 'Correct it to see the cost', '#cost');
    await pressChip(page, '6 months');
    await waitForText(page, '7 credits', '#cost');
    assert.equal(await readField(page, 'Horizon in months'), '6');
    assert.equal(await evaluate(page, `document.querySelector('#horizon-error')`), null);
    assert.match(page.url(), /[?&]horizon=6(&|$)/, 'a link shows the same choices');

    await press(page, 'Forecast');
    const { pathname } = new URL(page.url());
    assert.match(pathname, /^\/forecasts\/atmospheric-co2-at-mauna-loa-\w+$/);
    // The page loads itself again when the forecast has completed, which would interrupt the next navigation.
    await waitForText(page, 'Replay the past');
    await page.goto(`${site.url}${pathname}/replays`);
    await press(page, 'Make this replay');
    await waitForText(page, 'held', '#replay-1');
    await waitForText(page, '120 days earlier', '#replay-1');
    await evaluate(page, `document.querySelector('#replay-1 .chart').focus()`);
    await page.keyboard.press('End');
    await waitForText(page, '50%', '#replay-1 .values');
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(errors, []);
  });

  test('without scripts, the form shows the cost, keeps what was typed and makes a forecast', {
    skip: noBrowser,
  }, async () => {
    const site = open();
    const page = await newPage();
    await page.goto(`${site.url}/new`);
    await follow(page, 'CO₂ at Mauna Loa');
    await heading(page, CO2_TITLE);
    // Five models over the whole series would keep the worker busy during the next tests.
    await openForm(page, site, FEW_ROWS);
    await fillField(page, 'Title', 'The air');
    await press(page, '6 months');
    await waitForControl(page, { role: 'heading', level: 2, name: 'What it costs' });
    assert.deepEqual([await readField(page, 'Horizon in months'), await readField(page, 'Title')], ['6', 'The air']);

    await fillField(page, 'Horizon in months', '97');
    await press(page, 'Forecast');
    await waitForText(page, 'Horizon: your plan allows at most 96.', '[role=alert]');
    assert.equal(await readField(page, 'Title'), 'The air');
    await fillField(page, 'Horizon in months', '3');
    await press(page, 'Forecast');
    assert.match(page.url(), /\/forecasts\/the-air-\w+$/);
  });
}

/** Presses a suggested horizon, which leads nowhere with a script. */
async function pressChip(page: Page, name: string): Promise<void> {
  await evaluate(
    page,
    `[...document.querySelectorAll('[name=suggest]')].find((one) => one.innerText === '${name}').click()`,
  );
}
