import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { PASSWORD, withKey } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { fillIn, heading, press } from './steps.ts';

const options = { skip: noBrowser };
const NEW_PASSWORD = 'another horse battery';

/** Tests the account page. */
export function testAccount(open: () => FullSite): void {
  /** Opens the account page in a signed-in browser. */
  async function signedIn(email: string, userAgent?: string): Promise<Page> {
    const page = await newPage(userAgent === undefined ? {} : { userAgent });
    await page.goto(`${open().url}/auth/account`);
    await fillIn(page, email);
    await heading(page, 'Your account');
    return page;
  }

  async function isOut(page: Page): Promise<void> {
    await page.goto(`${open().url}/auth/account`);
    await heading(page, 'Sign in');
  }

  test('changing the password signs out other browsers and keeps this one', options, async () => {
    const site = open();
    const { email } = await site.account();
    const [here, other] = [await signedIn(email), await signedIn(email)];
    await here.getByLabel('Current password').fill('not the one');
    await here.getByLabel('New password').fill(NEW_PASSWORD);
    await press(here, 'Change password');
    await here.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await here.getByLabel('Current password').fill(PASSWORD);
    await here.getByLabel('New password').fill(NEW_PASSWORD);
    await press(here, 'Change password');
    await here.getByText('Your password has been changed.').waitFor();
    assert.equal(new URL(here.url()).pathname, '/auth/account', 'reloading does not submit the form again');
    await here.reload();
    await heading(here, 'Your account');
    assert.equal(await here.getByText('Your password has been changed.').count(), 0, 'the notice is shown once');
    await isOut(other);
  });

  test('lists sessions by browser, ends one and then all others', options, async () => {
    const site = open();
    const { email } = await site.account();
    const firefox = (system: string) => `Mozilla/5.0 (${system}) Gecko/20100101 Firefox/150.0`;
    const here = await signedIn(email);
    const [phone, laptop] = [
      await signedIn(email, firefox('Android 15; Mobile')),
      await signedIn(email, firefox('Windows NT 10.0')),
    ];
    await here.reload();
    await here.getByText('Chrome on Linux this one').waitFor();
    await press(here, 'Sign out Firefox on Android');
    await here.getByText('That browser is signed out.').waitFor();
    await isOut(phone);
    await laptop.reload();
    await heading(laptop, 'Your account');
    await press(here, 'Sign out everywhere else');
    await here.getByText('Every other browser is signed out.').waitFor();
    await isOut(laptop);
    await here.getByText('A browser was signed out from elsewhere').waitFor();
  });

  test('after a sign-out the browser’s back button does not show the page', options, async () => {
    const site = open();
    const { email } = await site.account();
    const page = await signedIn(email);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await press(page, 'Sign out');
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await page.goBack();
    await heading(page, 'Sign in');
  });

  test('revokes a key and confirms an address by another email', options, async () => {
    const site = open();
    const { id, email } = await site.account({ verified: false });
    await withKey(site.identity, id, undefined, { name: 'notebook' });
    const page = await signedIn(email);
    await press(page, 'Revoke the key notebook');
    await page.getByText('The API key is revoked.').waitFor();
    await press(page, 'Send the email again');
    await page.getByText('We sent you an email.').waitFor();
    const [mail] = await site.mail.mailsTo(email);
    await page.goto(String(mail?.links[0]));
    await press(page, 'Confirm');
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.getByText('confirmed', { exact: true }).waitFor();
  });
}
