import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/identity/callers.ts';

/** Waits for the page with this heading. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name }).waitFor();
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}

/** Opens the link of the sign-up email and confirms it with the password. */
export async function confirmSignUp(page: Page, link: string | undefined, password = PASSWORD): Promise<void> {
  await page.goto(String(link));
  await heading(page, 'Confirm your address');
  await page.getByLabel('Password').fill(password);
  await press(page, 'Confirm and sign in');
}

/** Fills in the sign-in or sign-up form of the page and submits it. */
export async function fillIn(
  page: Page,
  email: string,
  { password = PASSWORD, button = 'Sign in' }: { password?: string; button?: string } = {},
): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, button);
}
