import type { Page } from 'playwright-core';
import { clickControl, fillField, waitForControl } from '../support/api/page-controls.ts';
import { PASSWORD } from '../support/identity/callers.ts';

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
