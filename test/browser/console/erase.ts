import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { PASSWORD, withGuest, withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeFilter } from '../../support/screener/filters.ts';
import { makeMember, makeWorkspace } from '../../support/workspaces/workspaces.ts';
import { follow, heading, press } from '../steps.ts';
import { addCookies } from './caller.ts';
import { makeForecast } from './keep.ts';
import { type ConsoleView, findViolations } from './view.ts';

const ERASE = '/auth/account/erase';
const EXPORT = '/auth/account/export';
const BUTTON = 'Erase my account and everything listed';

/** Creates an account that owns some things, among them a public forecast, and signs a page in. */
async function enterOwner(page: Page, site: FullSite) {
  const { database } = site.identity;
  const { id, email } = await site.account();
  const other = await site.account();
  const credentials = await withSession(site.identity, email);
  const title = 'Rain in Bergen, in millimeters, by day, as the observatory at Florida reports it';
  const kept = await makeForecast(site, credentials, { title, models: ['theta'], visibility: 'public' });
  await makeFilter(database, id);
  const { id: workspace } = await makeWorkspace(database, other.id, 'Rates desk');
  await makeMember(database, workspace, id);
  await addCookies(page, site, credentials);
  return { id, email, slug: kept.slug };
}

async function enterBlocked(page: Page, site: FullSite): Promise<void> {
  const { database } = site.identity;
  const [{ id, email }, member] = [await site.account(), await site.account()];
  const { id: workspace } = await makeWorkspace(database, id, 'Rates desk');
  await makeMember(database, workspace, member.id);
  await addCookies(page, site, await withSession(site.identity, email));
}

const view = (name: string, open: ConsoleView['open']): ConsoleView => ({ name, open });

export const eraseViews: readonly ConsoleView[] = [
  view('erase', async (page, site) => {
    await enterOwner(page, site);
    await page.goto(`${site.url}${ERASE}`);
    await heading(page, 'Erase your account?');
  }),
  view('erase-refused', async (page, site) => {
    await enterOwner(page, site);
    await page.goto(`${site.url}${ERASE}`);
    await fillField(page, 'Your password', 'not the password');
    await press(page, BUTTON);
    await waitForText(page, 'There is a problem');
  }),
  view('erase-blocked', async (page, site) => {
    await enterBlocked(page, site);
    await page.goto(`${site.url}${ERASE}`);
    await heading(page, 'Erase your account');
  }),
  view('erase-guest', async (page, site) => {
    await addCookies(page, site, await withGuest(site.identity));
    await page.goto(`${site.url}${ERASE}`);
    await heading(page, 'Erase your account');
  }),
  view('export', async (page, site) => {
    await enterOwner(page, site);
    await page.goto(`${site.url}${EXPORT}`);
    await heading(page, 'Export your data');
  }),
  view('farewell', async (page, site) => {
    await page.goto(`${site.url}/auth/farewell`);
    await heading(page, 'The account is erased');
  }),
];

/** Tests how an account takes its data away and leaves. */
export function testErase(open: () => FullSite): void {
  test('an account downloads its data', { skip: noBrowser }, async () => {
    const site = open();
    const page = await newPage({ javaScriptEnabled: true });
    await enterBlocked(page, site);
    await page.goto(`${site.url}${EXPORT}`);
    await heading(page, 'Export your data');
    assert.deepEqual(await findViolations(page), []);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      evaluate(page, `document.querySelector('a[download]').click()`),
    ]);
    assert.match(download.suggestedFilename(), /^almanac-export-[\d-]+\.zip$/);
    assert.equal(await download.failure(), null);
    await page.goto(`${site.url}${ERASE}`);
    await waitForText(page, 'Your account cannot be erased yet');
    assert.deepEqual(await findViolations(page), []);
  });

  test('without scripts, an account leaves, and its public forecast stays', { skip: noBrowser }, async () => {
    const site = open();
    const page = await newPage();
    const { slug } = await enterOwner(page, site);
    await page.goto(`${site.url}${ERASE}`);
    await heading(page, 'Erase your account?');
    await waitForText(page, '1 forecast');
    await waitForText(page, 'Rates desk');
    await page.locator('label', { hasText: 'Rain in Bergen' }).click();
    await fillField(page, 'Your password', PASSWORD);
    await press(page, BUTTON);
    await heading(page, 'The account is erased');
    await follow(page, 'Go to the start page');
    await page.goto(`${site.url}/forecasts/${slug}`);
    await waitForText(page, 'Rain in Bergen');
  });
}
