import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { fillField, shownText, waitForAlert, waitForText, waitForWholeText } from '../support/api/page-controls.ts';
import { PASSWORD, withKey } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { fillIn, follow, heading, newSignedInPage, press } from './steps.ts';

const options = { skip: noBrowser };
const NEW_PASSWORD = 'another horse battery';

/** Tests the account page. */
export function testAccount(open: () => FullSite): void {
  /** Opens the account page in a signed-in browser. */
  async function openAccount(email: string): Promise<Page> {
    const page = await newSignedInPage(open(), email);
    await page.goto(`${open().url}/auth/account`);
    await heading(page, 'Your account');
    return page;
  }

  /** Signs in to the account page in a browser of this kind. */
  async function signInWith(email: string, userAgent?: string): Promise<Page> {
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
    const [here, other] = [await openAccount(email), await openAccount(email)];
    await fillField(here, 'Current password', 'not the one');
    await fillField(here, 'New password', NEW_PASSWORD);
    await press(here, 'Change password');
    await waitForAlert(here, 'The current password is wrong.');
    await fillField(here, 'Current password', PASSWORD);
    await fillField(here, 'New password', NEW_PASSWORD);
    await press(here, 'Change password');
    await waitForText(here, 'Your password has been changed.');
    assert.equal(new URL(here.url()).pathname, '/auth/account', 'reloading does not submit the form again');
    await here.reload();
    await heading(here, 'Your account');
    assert.doesNotMatch(String(await shownText(here)), /Your password has been changed/, 'the notice is shown once');
    await isOut(other);
  });

  test('lists sessions by browser, ends one and then all others', options, async () => {
    const site = open();
    const { email } = await site.account();
    const firefox = (system: string) => `Mozilla/5.0 (${system}) Gecko/20100101 Firefox/150.0`;
    const here = await signInWith(email);
    const [phone, laptop] = [
      await signInWith(email, firefox('Android 15; Mobile')),
      await signInWith(email, firefox('Windows NT 10.0')),
    ];
    await here.reload();
    await waitForText(here, 'Chrome on Linux this one');
    await press(here, 'Sign out Firefox on Android');
    await waitForText(here, 'That browser is signed out.');
    await isOut(phone);
    await laptop.reload();
    await heading(laptop, 'Your account');
    await press(here, 'Sign out everywhere else');
    await waitForText(here, 'Every other browser is signed out.');
    await isOut(laptop);
    await waitForText(here, 'A browser was signed out from elsewhere');
  });

  test('after a sign-out the browser’s back button does not show the page', options, async () => {
    const site = open();
    const { email } = await site.account();
    const page = await openAccount(email);
    await follow(page, 'Sign out');
    await press(page, 'Sign out');
    await waitForText(page, 'You are signed out.');
    await page.goBack();
    await page.goBack();
    await heading(page, 'Sign in');
  });

  test('revokes a key and confirms an address by another email', options, async () => {
    const site = open();
    const { id, email } = await site.account({ verified: false });
    await withKey(site.identity, id, undefined, { name: 'notebook' });
    const page = await openAccount(email);
    await press(page, 'Revoke the key notebook');
    await waitForText(page, 'The API key is revoked.');
    await press(page, 'Send the email again');
    await waitForText(page, 'We sent you an email.');
    const [mail] = await site.mail.mailsTo(email);
    await page.goto(String(mail?.links[0]));
    await press(page, 'Confirm');
    await waitForText(page, 'Your email address is confirmed.');
    await waitForWholeText(page, 'confirmed');
  });
}
