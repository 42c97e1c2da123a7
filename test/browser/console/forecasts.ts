import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ForecastAttempt, recordProgress } from '../../../src/forecasts/forecast-state.ts';
import { createGuest } from '../../../src/identity/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { clickControl, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { addScoredForecast } from '../../support/forecasts/scored-forecasts.ts';
import { addShownForecasts, type ShownFields } from '../../support/forecasts/shown-forecasts.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { heading, press } from '../steps.ts';
import { type ConsoleView, findViolations } from './view.ts';

const GSPC = { type: 'market', symbol: '^GSPC', timeframe: '1D', provider: 'bundled' } as const;
const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2' } as const;
const MODELS = ['prophet', 'toto', 'ets', 'theta', 'arima'];

/** One forecast in each state that the list shows. */
const SHOWN: readonly Omit<ShownFields, 'owner'>[] = [
  {
    title: 'S&P 500 over the winter',
    source: GSPC,
    horizon: 30,
    wql: 0.0312,
    finishedAt: '2026-01-05T10:00:00Z',
    visibility: 'public',
    createdAt: '2026-01-05T09:00:00Z',
    outcome: { status: 'partial', relative_wql: 0.83 },
  },
  { source: CO2, horizon: 12, models: MODELS, status: 'running', done: 3, createdAt: '2026-01-05T08:00:00Z' },
  { source: GSPC, horizon: 5, status: 'queued', createdAt: '2026-01-05T07:00:00Z' },
  {
    source: CO2,
    horizon: 24,
    status: 'failed',
    finishedAt: '2026-01-05T06:10:00Z',
    createdAt: '2026-01-05T06:00:00Z',
    error: { code: 'TIMED_OUT', message: 'The forecast took longer than 10 minutes. Use fewer models or rows.' },
  },
  {
    horizon: 7,
    status: 'failed',
    finishedAt: '2026-01-05T05:10:00Z',
    createdAt: '2026-01-05T05:00:00Z',
    error: { code: 'FORECAST_CANCELED', message: 'The forecast was canceled.' },
  },
  {
    source: GSPC,
    horizon: 365,
    wql: 0.051,
    finishedAt: '2026-01-04T10:00:00Z',
    createdAt: '2026-01-04T09:00:00Z',
    outcome: { status: 'partial', relative_wql: 1.12 },
  },
  {
    source: CO2,
    horizon: 1,
    wql: 0.002,
    finishedAt: '2026-01-03T10:00:00Z',
    createdAt: '2026-01-03T09:00:00Z',
    outcome: { status: 'waiting' },
  },
];

/** Gives a browser the cookie of a caller. */
export async function giveCookie(page: Page, { url }: FullSite, cookie = ''): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  // The browser stores cookies with this prefix only for HTTPS, but also sends them to loopback over HTTP.
  await page
    .context()
    .addCookies([{ name, value, url: url.replace('http:', 'https:'), httpOnly: true, sameSite: 'Lax' }]);
}

async function signIn(page: Page, site: FullSite): Promise<string> {
  const { id, email } = await site.account();
  await giveCookie(page, site, (await withSession(site.identity, email)).cookie);
  return id;
}

/** Signs a browser in whose account has one forecast in each state. Returns their ids. */
async function signInWithForecasts(page: Page, site: FullSite): Promise<string[]> {
  const owner = await signIn(page, site);
  return addShownForecasts(
    site.identity.database,
    SHOWN.map((fields) => ({ ...fields, owner })),
  );
}

async function signInWithRecord(page: Page, site: FullSite): Promise<void> {
  const owner = await signIn(page, site);
  const shapes = [
    { horizon: 24, quantiles: [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] },
    { horizon: 5, quantiles: [0.1, 0.25, 0.5, 0.75, 0.9] },
    { horizon: 60, quantiles: [0.1, 0.5, 0.9], source: null },
  ];
  for (let seed = 1; seed <= 9; seed++) {
    await addScoredForecast(site.identity.database, { owner, seed, ...shapes[seed % 3] });
  }
}

const open = (path: string, title: string, prepare?: (page: Page, site: FullSite) => Promise<unknown>) => ({
  async open(page: Page, site: FullSite): Promise<void> {
    await prepare?.(page, site);
    await page.goto(`${site.url}${path}`);
    await heading(page, title);
  },
});

async function becomeGuest(page: Page, site: FullSite): Promise<string> {
  const { guestId, secret } = await createGuest(site.identity);
  await giveCookie(page, site, `__Host-almanac_guest=${secret}`);
  return guestId;
}

export const forecastsViews: readonly ConsoleView[] = [
  { name: 'forecasts-newcomer', ...open('/forecasts', 'My forecasts') },
  { name: 'forecasts-empty', ...open('/forecasts', 'My forecasts', signIn) },
  { name: 'forecasts-list', ...open('/forecasts', 'My forecasts', signInWithForecasts) },
  {
    name: 'forecasts-guest',
    ...open('/forecasts', 'My forecasts', async (page, site) => {
      const owner = await becomeGuest(page, site);
      await addShownForecasts(site.identity.database, [{ ...SHOWN[5], owner }]);
    }),
  },
  { name: 'forecasts-no-match', ...open('/forecasts?q=copper&status=completed', 'My forecasts', signInWithForecasts) },
  { name: 'forecasts-wrong-filter', ...open('/forecasts?status=lost&sort=luck', 'My forecasts', signInWithForecasts) },
  { name: 'record-newcomer', ...open('/forecasts?view=record', 'Track record') },
  { name: 'record-empty', ...open('/forecasts?view=record', 'Track record', signIn) },
  { name: 'record', ...open('/forecasts?view=record', 'Track record', signInWithRecord) },
];

/** Tests the list of forecasts and the track record. */
export function testForecasts(site: () => FullSite): void {
  test('the list follows running forecasts and applies filters while the reader stays on the page', {
    skip: noBrowser,
  }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    const [, running] = await signInWithForecasts(page, site());
    await page.goto(`${site().url}/forecasts`);
    await heading(page, 'My forecasts');
    await waitForText(page, 'Running: 3 of 5 models');
    await waitForText(page, 'So far 17% less loss than the seasonal naive forecast');
    assert.deepEqual(await findViolations(page), []);

    await setProgress(site(), running ?? '', 4);
    await waitForText(page, 'Running: 4 of 5 models');
    await page.selectOption('#status', 'failed');
    await waitForText(page, '2 forecasts.');
    await page.fill('#q', 'mauna');
    await waitForText(page, '1 forecast.');
    await waitForText(page, 'The forecast took longer than 10 minutes');
    assert.match(page.url(), /\/forecasts\?q=mauna&status=failed&sort=created_at$/);
    assert.equal(await evaluate(page, 'document.activeElement.id'), 'q');
    await page.fill('#q', 'copper');
    await waitForText(page, 'No forecast matches');
    assert.deepEqual(problems, []);
  });

  test('without scripts, the track record and the list read as words, and filters are a form', {
    skip: noBrowser,
  }, async () => {
    const page = await newPage();
    await signInWithRecord(page, site());
    await page.goto(`${site().url}/forecasts?view=record`);
    await waitForText(page, 'Over 9 forecasts and 267 rows, the loss was');
    await waitForText(page, 'the 80% interval held 48% of the rows [42–54%].');
    await page.fill('#horizon', '5');
    await press(page, 'Apply');
    await waitForText(page, 'Over 3 forecasts and 15 rows');
    assert.match(page.url(), /view=record.*horizon=5/);
    await clickControl(page, { role: 'link', name: 'Forecasts', isWholeName: true });
    await waitForText(page, '9 forecasts.');
  });
}

/** Records progress as the attempt would that holds the forecast. */
async function setProgress({ identity }: FullSite, id: string, done: number): Promise<void> {
  const progress = { completed_models: done, total_models: MODELS.length, current_model: MODELS[done] ?? null };
  await recordProgress(identity.database, { id, attempt: 0 } as ForecastAttempt, progress, new Date());
}
