import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import {
  fillField,
  readField,
  tabTo,
  waitForAlert,
  waitForFocus,
  waitForText,
  waitForWholeText,
} from '../support/api/page-controls.ts';
import { evaluate } from '../support/api/page-state.ts';
import { PASSWORD } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { confirmSignUp, fillIn, follow, heading, newSignedInPage, press, pressKey } from './steps.ts';

const options = { skip: noBrowser };
const NEW_PASSWORD = 'another horse battery';

/** Tests sign-up, sign-in and password reset. */
export function testGettingIn(open: () => FullSite): void {
  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.goto(`${open().url}/auth/sign-in`);
    await fillIn(page, email, { password });
  }

  test('signs up, confirms the mailed link with the password and is signed in', options, async () => {
    const site = open();
    const email = 'maria@example.org';
    const page = await newPage();
    await page.goto(`${site.url}/auth/sign-in`);
    await follow(page, 'Create an account');
    await fillIn(page, email, { button: 'Create account' });
    await heading(page, 'Check your email');

    const [mail] = await site.mail.mailsTo(email);
    await confirmSignUp(page, mail?.links[0], 'what a stranger might choose');
    await waitForAlert(page, 'This is not the password chosen at sign-up.');
    assert.equal(await evaluate(page, 'document.title'), 'Error: Confirm your address · Almanac');
    // The summary has the focus.
    await waitForFocus(page, '[role=alert]');
    assert.equal(await readField(page, 'Email address'), email);
    await fillField(page, 'Password', PASSWORD);
    await pressKey(page, 'Enter');
    await heading(page, 'Forecasts that anyone can check');
    assert.equal(page.url(), `${site.url}/`);
    await waitForText(page, 'Your account is ready.', '.notice');
    await follow(page, 'Account');
    await heading(page, 'Your account');
    await waitForWholeText(page, 'confirmed');

    await page.goto(String(mail?.links[0]));
    await heading(page, 'This link no longer works');
  });

  test('shows a wrong password beside the field and keeps the address', options, async () => {
    const site = open();
    const { email } = await site.account();
    const page = await newPage();
    await signIn(page, email, 'a wrong password');
    await waitForAlert(page, 'The email address or the password is wrong.');
    assert.equal(await evaluate(page, 'document.title'), 'Error: Sign in · Almanac');
    assert.equal(await readField(page, 'Email address'), email);
    assert.equal(await readField(page, 'Password'), '');
    // The summary has the focus.
    await waitForFocus(page, '[role=alert]');
    await fillField(page, 'Password', PASSWORD);
    await pressKey(page, 'Enter');
    await heading(page, 'Your account');
  });

  test('resets a forgotten password by the mailed link and signs out the other browser', options, async () => {
    const site = open();
    const { email } = await site.account();
    const [here, other] = [await newPage(), await newSignedInPage(site, email)];
    await other.goto(`${site.url}/auth/account`);
    await heading(other, 'Your account');

    await here.goto(`${site.url}/auth/sign-in`);
    await follow(here, 'Forgot your password?');
    await fillField(here, 'Email address', email);
    await press(here, 'Send the link');
    await heading(here, 'Check your email');
    const [mail] = await site.mail.mailsTo(email);
    await here.goto(String(mail?.links[0]));
    await fillField(here, 'New password', 'short');
    await press(here, 'Set password and sign in');
    await waitForAlert(here, 'must have 10 to 1024 characters');
    await fillField(here, 'New password', NEW_PASSWORD);
    await press(here, 'Set password and sign in');
    await heading(here, 'Your account');

    await other.reload();
    await waitForText(other, 'Sign in to see it.');
    await signIn(other, email);
    await waitForAlert(other);
    await signIn(other, email, NEW_PASSWORD);
    await heading(other, 'Your account');
  });

  test('signs in with the keyboard alone', options, async () => {
    const site = open();
    const { email } = await site.account();
    const page = await newPage();
    await page.goto(`${site.url}/auth/sign-in`);
    await heading(page, 'Sign in');
    await tabTo(page, '.brand a');
    await tabTo(page, '#email');
    await page.keyboard.type(email);
    await tabTo(page, '#password');
    await page.keyboard.type('wrong at first');
    await pressKey(page, 'Enter');
    await waitForAlert(page);
    // From the list of problems to the field, and then to the next one.
    await tabTo(page, '[role=alert] a');
    await pressKey(page, 'Enter');
    await waitForFocus(page, '#email');
    await tabTo(page, '#password');
    await page.keyboard.type(PASSWORD);
    await tabTo(page, 'button');
    await pressKey(page, 'Space');
    await heading(page, 'Your account');
    await tabTo(page, '.skip');
    await page.keyboard.press('Enter');
    await waitForFocus(page, 'main');
    await tabTo(page, 'a[href="/auth/sign-out"]');
    await pressKey(page, 'Enter');
    await heading(page, 'Sign out?');
    await tabTo(page, '.brand a');
    await tabTo(page, 'button');
    await pressKey(page, 'Enter');
    await waitForText(page, 'You are signed out.');
  });

  test('keeps cookies on loopback under every name of the machine', options, async () => {
    const site = open();
    const { email } = await site.account();
    const { port } = new URL(site.url);
    for (const host of ['localhost', '127.0.0.1']) {
      const page = await newPage();
      await page.goto(`http://${host}:${port}/auth/sign-in`);
      await fillIn(page, email);
      await heading(page, 'Your account');
      assert.equal(new URL(page.url()).hostname, host);
    }
  });
}
