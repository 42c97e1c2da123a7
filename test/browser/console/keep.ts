import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, waitForText } from '../../support/api/page-controls.ts';
import { FORECASTS } from '../../support/forecasts/forecast-service.ts';
import { type Credentials, withGuest, withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { confirmSignUp, fillIn, follow, heading, press } from '../steps.ts';
import { addCookies, callerOf, newForecast } from './caller.ts';
import { type ConsoleView, findViolations } from './view.ts';

/** A caller with a completed forecast. */
interface Keeper {
  readonly credentials: Credentials;
  readonly slug: string;
}

export async function makeForecast(site: FullSite, credentials: Credentials, fields: object = {}): Promise<Keeper> {
  const slug = await newForecast(callerOf(site, credentials), fields);
  return { credentials, slug };
}

const newGuest = async (site: FullSite) => makeForecast(site, await withGuest(site.identity));

async function newOwner(site: FullSite, fields: object = {}): Promise<Keeper> {
  const { email } = await site.account();
  return makeForecast(site, await withSession(site.identity, email), fields);
}

/** One guest and one owner for all views of a site. */
const keepers = new WeakMap<FullSite, Promise<{ guest: Keeper; owner: Keeper; publisher: Keeper }>>();

function keepersOf(site: FullSite) {
  const known = keepers.get(site) ?? makeKeepers(site);
  keepers.set(site, known);
  return known;
}

async function makeKeepers(site: FullSite) {
  const guest = await newGuest(site);
  const owner = await newOwner(site);
  const publisher = await newOwner(site, { visibility: 'public' });
  const question = { forecast_id: owner.slug, thresholds: [118], op: 'gt' };
  await callerOf(site, owner.credentials)('POST', '/v1/scout/from-forecast', question);
  return { guest, owner, publisher };
}

/** Opens a page of the forecast of one of the keepers. */
async function openAs(
  page: Page,
  site: FullSite,
  who: 'guest' | 'owner' | 'publisher',
  action: string,
  title: string,
): Promise<void> {
  const { credentials, slug } = (await keepersOf(site))[who];
  await addCookies(page, site, credentials);
  await page.goto(`${site.url}/forecasts/${slug}${action}`);
  await heading(page, title);
}

const view = (name: string, open: ConsoleView['open']): ConsoleView => ({ name, open });

export const keepViews: readonly ConsoleView[] = [
  view('keep-actions-guest', (page, site) => openAs(page, site, 'guest', '#keep', 'Rain in Bergen')),
  view('keep-actions-owner', (page, site) => openAs(page, site, 'owner', '#share', 'Rain in Bergen')),
  view('keep-actions-public', (page, site) => openAs(page, site, 'publisher', '#share', 'Rain in Bergen')),
  view('keep-rename', (page, site) => openAs(page, site, 'owner', '/rename', 'Rename this forecast')),
  view('keep-visibility', (page, site) => openAs(page, site, 'owner', '/visibility', 'Change the visibility')),
  view('keep-reproduce', (page, site) => openAs(page, site, 'owner', '/reproduce', 'Reproduce this forecast')),
  view('keep-delete', (page, site) => openAs(page, site, 'owner', '/delete', 'Delete this forecast?')),
  view('keep-questions', (page, site) => openAs(page, site, 'owner', '/questions', 'Questions from this forecast')),
  view('keep-questions-guest', (page, site) =>
    openAs(page, site, 'guest', '/questions', 'Questions from this forecast'),
  ),
  view('keep-save-guest', (page, site) => openAs(page, site, 'guest', '/save', 'Save this forecast')),
  view('keep-save-ready', async (page, site) => {
    const { owner } = await keepersOf(site);
    await addCookies(page, site, owner.credentials);
    await openAs(page, site, 'guest', '/save', 'Save this forecast');
  }),
  view('keep-save-done', (page, site) => openAs(page, site, 'owner', '/save', 'This forecast is in your account')),
  view('keep-save-other-browser', async (page, site) => {
    const { owner, guest } = await keepersOf(site);
    await addCookies(page, site, owner.credentials);
    await page.goto(`${site.url}/forecasts/${guest.slug}/save`);
    await heading(page, 'This browser cannot save this forecast');
  }),
  view('keep-rename-refused', async (page, site) => {
    await openAs(page, site, 'owner', '/rename', 'Rename this forecast');
    await fillField(page, 'Name', 'turned \u202eround');
    await press(page, 'Rename');
    await waitForText(page, 'There is a problem');
  }),
];

/** Tests what a visitor does with a finished forecast: keep it, share it, ask about it, delete it. */
export function testKeep(open: () => FullSite): void {
  test('without scripts, a guest signs up by mail and keeps the forecast', { skip: noBrowser }, async () => {
    const site = open();
    const { credentials, slug } = await newGuest(site);
    const page = await newPage();
    await addCookies(page, site, credentials);
    await page.goto(`${site.url}/forecasts/${slug}`);
    await press(page, 'Create an account');
    const email = 'keeper@example.org';
    await fillIn(page, email, { button: 'Create account' });
    const [mail] = await site.mail.mailsTo(email);
    await confirmSignUp(page, mail?.links[0]);
    await heading(page, 'Save this forecast');
    await waitForText(page, 'Rain in Bergen');
    await press(page, 'Save it to my account');
    await heading(page, 'Rain in Bergen');
    await waitForText(page, 'The forecast is saved. It belongs to your account now.', '.notice');
    await follow(page, 'Delete');
    await heading(page, 'Delete this forecast?');
    await press(page, 'Delete the forecast');
    await page.waitForURL(`${site.url}/forecasts`);
    const { status } = await fetch(`${site.url}/api${FORECASTS}/${slug}`, { headers: { ...credentials } });
    assert.equal(status, 404);
  });

  test('an account shares a forecast and asks a question from it', { skip: noBrowser }, async () => {
    const site = open();
    const { credentials, slug } = await newOwner(site);
    const page = await newPage({ javaScriptEnabled: true });
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await addCookies(page, site, credentials);
    await page.goto(`${site.url}/forecasts/${slug}`);
    await press(page, 'Make it public');
    await waitForText(page, 'Anyone with its address can see it.', '.notice');
    await waitForText(page, `${site.url}/forecasts/${slug}`, '[aria-labelledby=share]');
    assert.deepEqual(await findViolations(page), []);
    await follow(page, 'Ask a question');
    await heading(page, 'Questions from this forecast');
    await press(page, 'Ask the question');
    await waitForText(page, 'The question is open.', '.notice');
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(errors, []);
  });
}
