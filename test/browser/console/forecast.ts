import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { shownText, waitForText } from '../../support/api/page-controls.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import { recordOutcome } from '../../support/forecasts/completed-forecasts.ts';
import { dailyPoints, FORECASTS, waitFor } from '../../support/forecasts/forecast-service.ts';
import { type Credentials, withGuest } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { heading } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' };
const MONTHS = {
  source: CO2,
  limit: 96,
  horizon: 8,
  models: ['ets', 'theta', 'seasonal_naive'],
  title: 'Carbon dioxide',
};

interface Forecast {
  readonly forecast_id: string;
  readonly slug: string;
  readonly status: string;
  readonly predictions: readonly { readonly timestamp: string; readonly quantiles: Readonly<Record<string, number>> }[];
}

/** A guest of the site, as its browser and as a caller of the API. */
async function openGuest({ url, identity }: FullSite, page: Page) {
  const credentials = await withGuest(identity);
  await useCookie(page, url, credentials);
  const send = async (method: string, path: string, body?: object): Promise<Forecast> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...credentials, origin: url, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as { data: Forecast; error?: { message: string } };
    assert.ok(response.ok, error?.message);
    return data;
  };
  return {
    create: (body: object) => send('POST', FORECASTS, body),
    complete: ({ forecast_id }: Forecast) =>
      waitFor(
        () => send('GET', `${FORECASTS}/${forecast_id}`),
        ({ status }) => status === 'completed' || status === 'failed',
      ),
  };
}

async function useCookie(page: Page, url: string, { cookie = '' }: Credentials): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  // The browser stores cookies with this prefix only for HTTPS, but also sends them to loopback over HTTP.
  const site = url.replace('http:', 'https:');
  await page.context().addCookies([{ name, value, url: site, httpOnly: true, sameSite: 'Lax' }]);
}

/** Opens the page of a forecast of a new guest, after a change of its row. */
const opened =
  (body: object, words: string, change: (site: FullSite, forecast: Forecast) => Promise<unknown>) =>
  async (page: Page, site: FullSite): Promise<void> => {
    const guest = await openGuest(site, page);
    const forecast = await guest.complete(await guest.create(body));
    await change(site, forecast);
    await page.goto(`${site.url}/forecasts/${forecast.slug}`);
    await waitForText(page, words);
  };

/** Gives a completed forecast another state. Its events go, because the page would follow them to the result. */
async function setState(
  { identity }: FullSite,
  { forecast_id: id }: Forecast,
  { status, error = null, progress = null }: { status: string; error?: string | null; progress?: string | null },
): Promise<void> {
  const query = identity.database.query();
  await sql`DELETE FROM forecast_event WHERE forecast_id = ${id}`.execute(query);
  await sql`UPDATE forecast SET status = ${status}, error = ${error}::jsonb, progress = ${progress}::jsonb, result = NULL,
    last_event = 0 WHERE id = ${id}`.execute(query);
}

const setComparison = ({ identity }: FullSite, { forecast_id }: Forecast, comparison: string) =>
  sql`UPDATE forecast SET comparison = ${comparison}::jsonb WHERE id = ${forecast_id}`.execute(
    identity.database.query(),
  );

const noChange = async () => {};

/** Records that the middle of the forecast came true, except in the last recorded step. */
async function happen({ identity }: FullSite, { forecast_id, predictions }: Forecast): Promise<void> {
  const rows = predictions.slice(0, 5).map(({ timestamp, quantiles }, i) => ({
    step: i + 1,
    timestamp,
    actual: Number(quantiles[i < 4 ? '0.5' : '0.9']) + i / 10,
    replayed: i === 0,
  }));
  const metrics = { count: 4, mae: 0.4, average_wql: 0.001, coverage: { '0.8': 0.75 }, relative_wql: 0.8 };
  await recordOutcome(identity.database, forecast_id, rows, metrics);
}

const SHORT = { source: { type: 'inline', points: dailyPoints(12) }, horizon: 4, models: ['ets', 'theta'] };
const DIFFERS = JSON.stringify({ outcome: 'differs', largest_difference: 0.0312 });
const HALFWAY = JSON.stringify({ completed_models: 1, total_models: 2, current_model: 'theta' });
const CANCELED = JSON.stringify({
  code: 'FORECAST_CANCELED',
  message: 'The forecast was canceled.',
  retryable: false,
});
const FAILURE = JSON.stringify({
  code: 'ALL_MODELS_FAILED',
  message: 'Every model failed. ets: The model did not converge. theta: The series is too short.',
  retryable: false,
});

export const forecastViews: readonly ConsoleView[] = [
  { name: 'forecast', open: opened(MONTHS, 'Can you trust it?', noChange) },
  { name: 'forecast-outcome', open: opened(MONTHS, 'scored values lay inside', happen) },
  { name: 'forecast-warnings', open: opened(SHORT, 'Weights without proof', noChange) },
  {
    name: 'forecast-differs',
    open: opened(SHORT, 'The reproduction differs', (site, one) => setComparison(site, one, DIFFERS)),
  },
  {
    name: 'forecast-queued',
    open: opened(SHORT, 'as soon as a worker is free', (site, one) => setState(site, one, { status: 'queued' })),
  },
  {
    name: 'forecast-running',
    open: opened(SHORT, '1 of 2 models are done', (site, one) =>
      setState(site, one, { status: 'running', progress: HALFWAY }),
    ),
  },
  {
    name: 'forecast-failed',
    open: opened(SHORT, 'No model could make this forecast', (site, one) =>
      setState(site, one, { status: 'failed', error: FAILURE }),
    ),
  },
  {
    name: 'forecast-canceled',
    open: opened(SHORT, 'was canceled', (site, one) => setState(site, one, { status: 'failed', error: CANCELED })),
  },
  {
    name: 'forecast-missing',
    async open(page, site) {
      await openGuest(site, page);
      await page.goto(`${site.url}/forecasts/nothing-ever-was-here`);
      await waitForText(page, 'There is no forecast at this address');
    },
  },
];

/** Tests the page of a forecast. */
export function testForecast(open: () => FullSite): void {
  test('a forecast ticks its models off, then shows a fan that mouse and keys read', { skip: noBrowser }, async () => {
    const site = open();
    const page = await newPage({ javaScriptEnabled: true });
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    const guest = await openGuest(site, page);
    const made = await guest.create(MONTHS);
    await page.goto(`${site.url}/forecasts/${made.slug}`);
    await heading(page, 'Carbon dioxide');
    // The page replaces its progress by the result without a reload by the reader.
    await waitForText(page, 'Can you trust it?');
    await pollPage(page, 'the chart', () =>
      evaluate<boolean>(page, `document.querySelector('.live-fan canvas') !== null`),
    );
    assert.match((await shownText(page, '.audit')) ?? '', /On 8 months that it had not seen, .*held \d of 8\./);
    const forecast = await guest.complete(made);
    await evaluate(page, `document.querySelector('.live-fan').focus()`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const announced = `document.querySelector('.live-fan ~ [aria-live]').textContent`;
    const reading = await evaluate<string>(page, announced);
    assert.match(reading, /^\w{3} \d{4}: Middle [\d.]+, 80% interval [\d.]+ to [\d.]+/);
    const cells = await evaluate<string[]>(
      page,
      `[...document.querySelectorAll('td.middle')].map((cell) => cell.textContent)`,
    );
    const middle = /Middle ([\d.]+)/.exec(reading)?.[1] ?? '';
    assert.ok(cells.includes(middle), `${middle} has the digits of ${cells.join(', ')}`);
    await evaluate(
      page,
      `[...document.querySelectorAll('.fan-controls button')].find((one) => one.innerText === 'Forecast').click()`,
    );
    await pollPage(page, 'the range in the address', async () => page.url().includes('?from='));
    await evaluate(page, `document.querySelector('.fan-controls .m0').closest('label').click()`);
    await waitForText(page, 'ETS', '.readout');
    assert.deepEqual([forecast.status, messages], ['completed', []]);
    assert.deepEqual(await findViolations(page), []);
  });

  test('a forecast is read without scripts: picture, words and numbers', { skip: noBrowser }, async () => {
    const page = await newPage();
    await forecastViews[1]?.open(page, open());
    const text = (await shownText(page)) ?? '';
    for (const words of [
      '3 of 4 scored values lay inside',
      'Weights by quantile',
      'Calibration of the spread',
      'Folds',
      'Atmospheric CO2',
    ])
      assert.ok(text.includes(words), words);
    const drawn = `[...document.querySelectorAll('.fan svg')].filter((svg) => svg.checkVisibility()).length`;
    assert.equal(await evaluate(page, drawn), 1);
  });
}
