import type { Page } from 'playwright-core';
import { newPage } from '../support/api/browser.ts';
import { clickControl, fillField, waitForControl } from '../support/api/page-controls.ts';
import { openNext } from '../support/api/page-state.ts';
import { PASSWORD, withSession } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';

/** Waits for the page with this heading. */
export async function heading(page: Page, name: string): Promise<void> {
  await waitForControl(page, { role: 'heading', level: 1, name });
}

export function press(page: Page, name: string): Promise<void> {
  return clickControl(page, { role: 'button', name, isWholeName: true });
}

export function follow(page: Page, name: string): Promise<void> {
  return clickControl(page, { role: 'link', name });
}

/** Presses a key that leads to another document or field. */
export function pressKey(page: Page, key: string): Promise<void> {
  return openNext(page, () => page.keyboard.press(key));
}

/** Opens the link of the sign-up email and confirms it with the password. */
export async function confirmSignUp(page: Page, link: string | undefined, password = PASSWORD): Promise<void> {
  await page.goto(String(link));
  await heading(page, 'Confirm your address');
  await fillField(page, 'Password', password);
  await press(page, 'Confirm and sign in');
}

/** Fills in the sign-in or sign-up form of the page and submits it. */
export async function fillIn(
  page: Page,
  email: string,
  { password = PASSWORD, button = 'Sign in' }: { password?: string; button?: string } = {},
): Promise<void> {
  await fillField(page, 'Email address', email);
  await fillField(page, 'Password', password);
  await press(page, button);
}

/** Opens a page of a browser that is signed in, for tests whose subject is not the sign-in. */
export async function newSignedInPage(site: FullSite, email: string): Promise<Page> {
  const { cookie = '' } = await withSession(site.identity, email);
  const [name = '', value = ''] = cookie.split('=');
  const page = await newPage();
  // The browser stores cookies with this prefix only for HTTPS, but also sends them to loopback over HTTP.
  const url = site.url.replace('http:', 'https:');
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  return page;
}
