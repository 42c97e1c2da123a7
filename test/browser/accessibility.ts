import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { fillField, waitForText } from '../support/api/page-controls.ts';
import { evaluate, pollPage } from '../support/api/page-state.ts';
import { PASSWORD, withKey, withSession } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import type { OAuthApplication } from '../support/identity/oauth-application.ts';
import { checkPage } from './check-page.mjs';
import { inviteTo } from './invitation.ts';
import { walkByKeyboard } from './keyboard.ts';
import { press } from './steps.ts';

/** The folder for screenshots of the pages. Without it none are taken. */
const PICTURES = process.env.ALMANAC_PAGE_PICTURES;

/** Every page: its name, a string on it and how to reach it. One browser visits them in this order. */
type Step = readonly [name: string, words: string, go: (page: Page) => Promise<unknown>];

/** Submits a form without the browser's own checks, so that the server gets the mistakes. */
async function sendForm(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  await evaluate(page, 'for (const form of document.forms) form.noValidate = true');
  for (const [label, value] of Object.entries(fields)) await fillField(page, label, value);
  await press(page, button);
}

interface Visit {
  readonly site: FullSite;
  readonly application: OAuthApplication;
}

interface Addresses {
  readonly email: string;
  /** Has no account yet. */
  readonly fresh: string;
  readonly invited: string;
}

function tour({ site, application }: Visit, { email, fresh, invited }: Addresses): readonly Step[] {
  const open = (path: string) => (page: Page) => page.goto(`${site.url}${path}`);
  const openLink = (address: string, nth: number) => async (page: Page) =>
    page.goto((await site.mail.mailsTo(address, nth))[nth - 1]?.links[0] ?? '');
  const signUp = { 'Email address': fresh, Password: PASSWORD };
  return [
    ['sign-in', 'Forgot your password?', open('/auth/sign-in')],
    [
      'sign-in-wrong',
      'There is a problem',
      (page) => sendForm(page, { 'Email address': email, Password: 'wrong' }, 'Sign in'),
    ],
    ['sign-up', 'Create an account', open('/auth/sign-up')],
    ['sign-up-wrong', 'There is a problem', (page) => sendForm(page, { 'Email address': 'x' }, 'Create account')],
    ['sign-up-sent', 'Check your email', (page) => sendForm(page, signUp, 'Create account')],
    ['sign-up-confirm', 'Confirm and sign in', openLink(fresh, 1)],
    [
      'sign-up-confirm-wrong',
      'There is a problem',
      (page) => sendForm(page, { Password: 'wrong' }, 'Confirm and sign in'),
    ],
    ['dead-link', 'This link no longer works', open('/auth/sign-up/confirm?token=x')],
    ['invitation', 'invited you', openLink(invited, 1)],
    ['forgot', 'Send the link', open('/auth/forgot')],
    ['forgot-wrong', 'There is a problem', (page) => sendForm(page, { 'Email address': 'x' }, 'Send the link')],
    ['forgot-sent', 'Check your email', (page) => sendForm(page, { 'Email address': email }, 'Send the link')],
    ['reset', 'Choose a new password', openLink(email, 1)],
    [
      'reset-wrong',
      'There is a problem',
      (page) => sendForm(page, { 'New password': 'short' }, 'Set password and sign in'),
    ],
    ['cookie-refused', 'did not keep you signed in', open('/auth/signed-in')],
    ['bad-return', 'This did not work', open('/auth/sign-in?return_to=//evil.example')],
    ['expired', 'This request has expired', open('/auth/interaction/unknown')],
    ['provider-error', 'sent an invalid request', open('/auth/oauth/authorize?client_id=unknown')],
    ['application-sign-in', 'to continue to', async (page) => page.goto((await application.begin()).address)],
    [
      'consent',
      'Allow Harbor Charts',
      (page) => sendForm(page, { 'Email address': email, Password: PASSWORD }, 'Sign in'),
    ],
    ['invitation-other', 'you are signed in as', openLink(invited, 1)],
    ['account', 'Settings and security', open('/auth/account')],
    ['account-sent', 'We sent you an email.', (page) => press(page, 'Send the email again')],
    ['verify', 'is your address.', openLink(email, 2)],
    ['sign-out', 'Sign out?', open('/auth/sign-out')],
    ['signed-out', 'You are signed out.', (page) => press(page, 'Sign out')],
  ];
}

/** Both are low, because the browser draws every page at both sizes. */
const WIDE = { width: 1000, height: 400 };
const NARROW = { width: 320, height: 400 };

interface Look {
  readonly viewport: typeof WIDE;
  readonly colorScheme: 'light' | 'dark';
}

/** Pages open in this look, and the keyboard is tested in it. */
const FIRST_LOOK: Look = { viewport: WIDE, colorScheme: 'light' };

/** Every page is checked in these looks. Colors do not depend on the width, so two looks cover both. */
const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ['light', FIRST_LOOK],
  ['narrow-dark', { viewport: NARROW, colorScheme: 'dark' }],
];

async function changeLook(page: Page, before: Look, { viewport, colorScheme }: Look): Promise<void> {
  if (viewport !== before.viewport) await page.setViewportSize(viewport);
  if (colorScheme !== before.colorScheme) await page.emulateMedia({ colorScheme });
}

/** Evaluates an expression in the page as soon as the browser has applied the look. */
function evaluateIn<T>(page: Page, { viewport, colorScheme }: Look, expression: string): Promise<T> {
  const isApplied = `innerWidth === ${viewport.width} && matchMedia('(prefers-color-scheme: ${colorScheme})').matches`;
  return pollPage(page, `the look ${viewport.width} ${colorScheme}`, () =>
    evaluate<T | false>(page, `${isApplied} && ${expression}`),
  );
}

/** Tests the accessibility of every page. */
export function testAccessibility(open: () => Visit): void {
  test('every page is accessible by screen reader, eye and keyboard, in light and dark', {
    skip: noBrowser,
  }, async () => {
    const { site } = open();
    const { id, email } = await site.account({ email: 'reader@example.org', verified: false });
    await withKey(site.identity, id, undefined, { name: 'notebook' });
    await withSession(site.identity, email);
    const invited = 'invited-reader@example.org';
    await inviteTo(site, invited);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    const page = await newPage({ ...FIRST_LOOK, reducedMotion: 'reduce' });
    const problems: string[] = [];
    let shown = FIRST_LOOK;
    for (const [name, words, go] of tour(open(), { email, fresh: 'fresh@example.org', invited })) {
      await go(page);
      await waitForText(page, words);
      const found: string[] = [];
      for (const [lookName, look] of LOOKS) {
        await changeLook(page, shown, look);
        shown = look;
        found.push(...(await evaluateIn<string[]>(page, look, `(${checkPage})({})`)));
        if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${lookName}.png`), fullPage: true });
      }
      await changeLook(page, shown, FIRST_LOOK);
      shown = FIRST_LOOK;
      found.push(...(await walkByKeyboard(page)));
      problems.push(...new Set(found.map((problem) => `${name}: ${problem}`)));
    }
    assert.deepEqual(problems, []);
  });
}
