import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { newId } from '../../../src/platform/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, shownText, waitForAlert, waitForControl, waitForText } from '../../support/api/page-controls.ts';
import { makeFeed } from '../../support/feeds/make-feed.ts';
import { PASSWORD, withKey, withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeGrant } from '../../support/identity/make-grant.ts';
import { fillIn, follow, heading, press } from '../steps.ts';
import { addCookies } from './caller.ts';
import { type ConsoleView, findViolations } from './view.ts';

const ACCOUNT = '/auth/account';
const NEW_PASSWORD = 'another horse battery';
const CPI = 'source=economic_series&provider=bundled&series_id=us-cpi';

type Spec = Parameters<FullSite['account']>[0];

/** Signs the browser of a page in to a new account. Returns the id and the address of the account. */
async function signIn(page: Page, site: FullSite, spec: Spec = {}): Promise<{ id: string; email: string }> {
  const account = await site.account(spec);
  await addCookies(page, site, await withSession(site.identity, account.email));
  return account;
}

/** Gives an account what its pages list. */
async function fill(site: FullSite, accountId: string): Promise<void> {
  const { identity } = site;
  await withKey(identity, accountId, ['datasets:read', 'forecasts:read'], { name: 'Nightly report' });
  await withKey(identity, accountId, undefined, { name: 'Notebook with a rather long name, for the whole team' });
  await makeGrant(identity, accountId);
  await makeFeed(identity, accountId);
  const now = identity.clock.now().getTime();
  for (let ago = 0; ago < 30; ago++) {
    const day = new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
    await sql`
      INSERT INTO usage_day (account_id, day, credits, peak_slots, bytes)
      VALUES (${accountId}, ${day}, ${(ago * 37) % 11 === 0 ? 0 : (ago * 53) % 190}, ${(ago * 7) % 5}, ${(30 - ago) * 91_000})
      ON CONFLICT DO NOTHING`.execute(identity.database.query());
  }
}

const view = (name: string, path: string, title: string, spec?: Spec | null, act?: (page: Page) => Promise<void>) =>
  ({
    name: `account-${name}`,
    async open(page, site) {
      if (spec !== null) await fill(site, (await signIn(page, site, spec)).id);
      await page.goto(`${site.url}${ACCOUNT}${path}`);
      await act?.(page);
      await heading(page, title);
    },
  }) satisfies ConsoleView;

/** A view of the emails about forecasts, to an account that wants them. */
const notificationsView = (name: string, last: string, spec: Spec = {}, isSuspended = false): ConsoleView => ({
  name: `account-notifications-${name}`,
  async open(page, site) {
    const { id } = await signIn(page, site, spec);
    const executor = site.identity.database.query();
    await sql`INSERT INTO notification_choice (account_id, forecasts, outcomes, updated_at)
      VALUES (${id}, true, false, now())`.execute(executor);
    await sql`INSERT INTO notification_mail (id, account_id, state, send_at, ended_at, created_at)
      VALUES (${newId('mail')}, ${id}, ${last}, now(), CASE ${last} WHEN 'queued' THEN NULL ELSE now() END, now())`.execute(
      executor,
    );
    if (isSuspended) await sql`UPDATE account SET bounced_at = now() WHERE id = ${id}`.execute(executor);
    await page.goto(`${site.url}${ACCOUNT}/notifications`);
    await heading(page, 'Emails about forecasts');
  },
});

export const accountViews: readonly ConsoleView[] = [
  view('overview', '', 'Your account'),
  view('unverified', '', 'Your account', { plan: 'free', verified: false }),
  view('newcomer', '', 'Your account', null),
  view('usage', '/usage', 'Usage over time'),
  view('usage-wrong', '/usage?from=yesterday', 'Usage over time'),
  view('keys', '/keys', 'API keys'),
  view('keys-free', '/keys', 'API keys', { plan: 'free' }),
  view('keys-wrong', '/keys', 'API keys', {}, (page) => press(page, 'Make the key')),
  view('keys-made', '/keys', 'Your new API key', {}, async (page) => {
    await fillField(page, 'Name', 'Nightly');
    await press(page, 'Make the key');
  }),
  view('keys-revoke', '/keys', 'Revoke the key Nightly report?', {}, (page) =>
    follow(page, 'Revoke the key Nightly report'),
  ),
  view('feeds', '/feeds', 'Feeds'),
  view('feeds-choose', '/feeds/new', 'Make a feed'),
  view('feeds-new', `/feeds/new?${CPI}`, 'Make a feed'),
  view('feeds-made', `/feeds/new?${CPI}`, 'Your new feed', {}, (page) => press(page, 'Make the feed')),
  view('notifications-off', '/notifications', 'Emails about forecasts'),
  view('notifications-newcomer', '/notifications', 'Emails about forecasts', null),
  notificationsView('sent', 'sent'),
  notificationsView('queued', 'queued'),
  notificationsView('suspended', 'failed', {}, true),
  notificationsView('unverified', 'skipped', { verified: false }),
  view('applications', '/applications', 'Connected applications'),
  view('sessions', '/sessions', 'Signed-in browsers'),
  view('password-wrong', '/password', 'Password', {}, (page) => press(page, 'Change password')),
  view('security', '/security', 'Security events'),
];

/** Tests the pages of the account. */
export function testAccount(open: () => FullSite): void {
  const options = { skip: noBrowser };

  test('the account: a key, a feed, a password, and browsers that are signed out', options, async () => {
    const site = open();
    const [here, other] = [
      await newPage({ javaScriptEnabled: true }),
      await newPage({ userAgent: 'Firefox/150.0 Android' }),
    ];
    const { email } = await signIn(here, site);
    await other.goto(`${site.url}/auth/sign-in?return_to=${encodeURIComponent(ACCOUNT)}`);
    await fillIn(other, email);
    await heading(other, 'Your account');

    await here.goto(`${site.url}${ACCOUNT}`);
    await follow(here, 'API keys');
    await fillField(here, 'Name', 'Nightly');
    await press(here, 'Make the key');
    await heading(here, 'Your new API key');
    await waitForControl(here, { role: 'button', name: 'Copy the key' });
    const secret = /alm_pat_\w+/.exec(String(await shownText(here)))?.[0];
    const read = () => fetch(`${site.url}/api/v1/forecast/models`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await read()).status, 200);
    await follow(here, 'I have copied it');
    await follow(here, 'Revoke the key Nightly');
    await press(here, 'Revoke the key');
    await waitForText(here, 'The API key is revoked.');
    assert.equal((await read()).status, 401);

    await here.goto(`${site.url}/series?${CPI}`);
    await follow(here, 'Feed for spreadsheets');
    await press(here, 'Make the feed');
    await heading(here, 'Your new feed');
    const url = /http\S+\/v1\/feeds\/[\w-]+/.exec(String(await shownText(here)))?.[0];
    assert.equal((await fetch(String(url))).status, 200);

    await here.goto(`${site.url}${ACCOUNT}/sessions`);
    await press(here, 'Sign out Firefox on Android');
    await waitForText(here, 'That browser is signed out.');
    await other.reload();
    await waitForText(other, 'Sign in to see it.');

    await here.goto(`${site.url}${ACCOUNT}/password`);
    await fillField(here, 'Current password', 'not the one');
    await fillField(here, 'New password', NEW_PASSWORD);
    await press(here, 'Change password');
    await waitForAlert(here, 'The current password is not the password of this account.');
    await fillField(here, 'Current password', PASSWORD);
    await fillField(here, 'New password', NEW_PASSWORD);
    await press(here, 'Change password');
    await waitForText(here, 'Your password has been changed.');
    await here.reload();
    await heading(here, 'Your account');
    assert.doesNotMatch(String(await shownText(here)), /Your password has been changed/, 'the notice is shown once');
    assert.deepEqual(await findViolations(here), []);

    await follow(here, 'Sign out');
    await press(here, 'Sign out');
    await waitForText(here, 'You are signed out.');
    await here.goBack();
    await here.goBack();
    await waitForText(here, 'Sign in to see it.');
  });

  test('the account without scripts: an address, usage by month, an application', options, async () => {
    const site = open();
    const page = await newPage({ javaScriptEnabled: false });
    const { id, email } = await signIn(page, site, { verified: false });
    await makeGrant(site.identity, id);
    await page.goto(`${site.url}${ACCOUNT}`);
    await press(page, 'Send the email again');
    await waitForText(page, 'We sent you an email.');
    const [mail] = await site.mail.mailsTo(email);
    await page.goto(String(mail?.links[0]));
    await press(page, 'Confirm');
    await waitForText(page, 'Your email address is confirmed.');
    await follow(page, 'Usage over time');
    await follow(page, 'Last 12 months');
    await waitForText(page, 'in 12 months');
    await page.goto(`${site.url}${ACCOUNT}/applications`);
    await follow(page, 'Revoke Harbor Charts');
    await press(page, 'Revoke the access');
    await waitForText(page, 'No application can use your account');
  });
}
