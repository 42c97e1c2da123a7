import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, newVisitor, noBrowser } from '../support/api/browser.ts';
import { type Begun, type OAuthApplication, startApplication } from '../support/identity/oauth-application.ts';
import { openPeopleSite, type PeopleSite } from '../support/identity/people-site.ts';
import { confirmSignUp, fillIn, heading, press } from './steps.ts';

const options = { skip: noBrowser };

let site: PeopleSite;
let application: OAuthApplication;
before(async () => {
  if (noBrowser !== false) return;
  site = await openPeopleSite();
  application = await startApplication(site.identity, site.url);
});
after(async () => {
  await application?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** The browser is back at the application with an answer to this very request. */
async function cameBack(page: Page, to = application.url): Promise<URL> {
  await page.waitForURL(`${to}/**`);
  return new URL(page.url());
}

/** Who the API takes the bearer of the application's token for. */
async function whoIs(begun: Begun, back: URL): Promise<{ status: number; email?: string }> {
  const { access_token } = await begun.finish(back.href);
  const response = await fetch(`${site.url}/api/v1/me/access`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  const { data } = (await response.json()) as { data?: { user: { email: string } } };
  return { status: response.status, ...(data && { email: data.user.email }) };
}

/** The application's request as a form, as an application may send it, too. */
function formFor(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  const fields = [...searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post" action="${origin}${pathname}">${fields.join('')}<button>Go</button></form>`;
}

test('sign in, allow, and the application can use the API; then it is not asked again', options, async () => {
  const { email } = await site.account();
  const visitor = await newVisitor();
  const page = await visitor.newPage();
  const begun = await application.begin();
  await page.goto(begun.address);
  await heading(page, 'Sign in');
  await page.getByText('to continue to Harbour Charts').waitFor();
  await fillIn(page, email);
  await heading(page, 'Allow Harbour Charts to use your account?');
  for (const words of [email, application.url, 'use the Almanac API as you', 'see your e-mail address'])
    assert.ok((await page.getByRole('main').innerText()).includes(words), words);
  await press(page, 'Allow');
  assert.deepEqual(await whoIs(begun, await cameBack(page)), { status: 200, email });

  const again = await application.begin();
  await page.goto(again.address);
  assert.equal((await whoIs(again, await cameBack(page))).email, email, 'neither sign-in nor consent');

  const byForm = await application.begin();
  await page.goto(`data:text/html,${encodeURIComponent(formFor(byForm.address))}`);
  await press(page, 'Go');
  assert.equal((await whoIs(byForm, await cameBack(page))).email, email, 'nor for a form of another site');

  await page.goto(`${site.url}/auth/account`);
  await page.getByRole('button', { name: 'Revoke Harbour Charts' }).click();
  await page.getByText('The application can no longer use your account.').waitFor();
  await page.goto((await application.begin()).address);
  await heading(page, 'Allow Harbour Charts to use your account?');
  await visitor.close();
});

test(
  'what was allowed before needs the password only, also where the way leads through several origins',
  options,
  async () => {
    const { email } = await site.account();
    await using large = await startApplication(site.identity, site.url, { name: 'Large', home: application.url });
    const page = await newPage();
    await page.goto((await large.begin()).address);
    await fillIn(page, email);
    await press(page, 'Allow');
    await cameBack(page);
    await page.goto(`${site.url}/auth/sign-out`);
    await press(page, 'Sign out');
    await page.getByText('You are signed out.').waitFor();
    const begun = await large.begin();
    const answer = await page.goto(begun.address);
    // The policy that the browser applies to every redirect that follows.
    assert.match(String(answer?.headers()['content-security-policy']), /form-action 'self'$/);
    await fillIn(page, email);
    assert.equal((await whoIs(begun, await cameBack(page))).email, email);
  },
);

test('deny, before and after signing in', options, async () => {
  const { email } = await site.account();
  const page = await newPage();
  await page.goto((await application.begin()).address);
  await press(page, 'Cancel');
  assert.equal((await cameBack(page)).searchParams.get('error'), 'access_denied');

  const begun = await application.begin();
  await page.goto(begun.address);
  await fillIn(page, email);
  await press(page, 'Deny');
  const back = await cameBack(page);
  assert.equal(back.searchParams.get('error'), 'access_denied');
  await assert.rejects(begun.finish(back.href));
});

test('somebody who is signed in is asked for consent only, and can be somebody else', options, async () => {
  const [first, second] = [await site.account(), await site.account()];
  const page = await newPage();
  await page.goto(`${site.url}/auth/sign-in`);
  await fillIn(page, first.email);
  await heading(page, 'Your account');
  const begun = await application.begin();
  await page.goto(begun.address);
  await heading(page, 'Allow Harbour Charts to use your account?');
  await page.getByText(first.email).waitFor();
  await page.getByRole('link', { name: 'Use another account' }).click();
  await press(page, 'Sign out');
  await fillIn(page, second.email);
  await heading(page, 'Allow Harbour Charts to use your account?');
  await page.getByText(second.email).waitFor();
  await press(page, 'Allow');
  assert.deepEqual(await whoIs(begun, await cameBack(page)), { status: 200, email: second.email });
});

test('who signs out or changes accounts elsewhere does not allow for the one before', options, async () => {
  const [first, second] = [await site.account(), await site.account()];
  const visitor = await newVisitor();
  const [page, tab] = [await visitor.newPage(), await visitor.newPage()];
  const begun = await application.begin();
  await page.goto(begun.address);
  await fillIn(page, first.email);
  await heading(page, 'Allow Harbour Charts to use your account?');
  await tab.goto(`${site.url}/auth/sign-out`);
  await press(tab, 'Sign out');
  await fillIn(tab, second.email);
  await heading(tab, 'Your account');
  await press(page, 'Allow');
  await heading(page, 'Allow Harbour Charts to use your account?');
  await page.getByText(second.email).waitFor();
  await press(page, 'Allow');
  assert.equal((await whoIs(begun, await cameBack(page))).email, second.email);
});

test('an application that wants the password gets it from somebody who is signed in, too', options, async () => {
  const { email } = await site.account();
  const page = await newPage();
  await page.goto(`${site.url}/auth/sign-in`);
  await fillIn(page, email);
  await heading(page, 'Your account');
  const begun = await application.begin({ prompt: 'login' });
  await page.goto(begun.address);
  await heading(page, 'Sign in');
  assert.equal(await page.getByLabel('E-mail address').inputValue(), email);
  await fillIn(page, email);
  await press(page, 'Allow');
  assert.equal((await whoIs(begun, await cameBack(page))).email, email);
});

test('an application that lives at several origins gets its user as well', options, async () => {
  const { email } = await site.account();
  await using large = await startApplication(site.identity, site.url, { name: 'Large', home: application.url });
  const page = await newPage();
  const begun = await large.begin();
  await page.goto(begun.address);
  await fillIn(page, email);
  await press(page, 'Allow');
  assert.equal((await whoIs(begun, await cameBack(page))).email, email);
});

test('sign up on the way to an application, and go on to it', options, async () => {
  const email = 'newcomer@example.org';
  const page = await newPage();
  const begun = await application.begin();
  await page.goto(begun.address);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await fillIn(page, email, { button: 'Create account' });
  await heading(page, 'Check your mail');
  const [mail] = await site.mail.mailsTo(email);
  await confirmSignUp(page, mail?.links[0]);
  await heading(page, 'Allow Harbour Charts to use your account?');
  await press(page, 'Allow');
  // A free account has no use of the API, but the application knows who it is.
  const tokens = await begun.finish((await cameBack(page)).href);
  assert.equal(typeof tokens.claims()?.sub, 'string');
});

test('what is over, or is not an application’s, is a page that says what to do', options, async () => {
  const page = await newPage();
  const begun = await application.begin();
  await page.goto(begun.address);
  await heading(page, 'Sign in');
  const address = page.url();
  await page.goto(address.replace(/[^/]+$/, 'unknown'));
  await heading(page, 'This request has expired');
  const stranger = await newPage();
  await stranger.goto(address);
  await heading(stranger, 'This request has expired');
  await stranger.getByText('Go back to the application').waitFor();
  await stranger.goto(`${site.url}/auth/oauth/authorize?client_id=nobody`);
  await heading(stranger, 'The application’s request cannot be answered');
});
