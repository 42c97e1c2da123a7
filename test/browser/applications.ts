import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { readField, waitForText } from '../support/api/page-controls.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { type OAuthApplication, type StartedSignIn, startApplication } from '../support/identity/oauth-application.ts';
import { confirmSignUp, fillIn, follow, heading, newSignedInPage, press } from './steps.ts';

const options = { skip: noBrowser };

/** Sends the application's request as a form. */
function formFor(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  const fields = [...searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post" action="${origin}${pathname}">${fields.join('')}<button>Go</button></form>`;
}

/** Tests how applications sign their users in. */
export function testApplications(open: () => { site: FullSite; application: OAuthApplication }): void {
  describe('applications', () => {
    let site: FullSite;
    let application: OAuthApplication;
    before(() => {
      ({ site, application } = open());
    });

    /** Waits until the browser is back at the application with the response to this request. */
    async function cameBack(page: Page, to = application.url): Promise<URL> {
      await page.waitForURL(`${to}/**`);
      return new URL(page.url());
    }

    /** Returns the account that the API finds by the application's token. */
    async function whoIs(begun: StartedSignIn, back: URL): Promise<{ status: number; email?: string }> {
      const { access_token } = await begun.finish(back.href);
      const response = await fetch(`${site.url}/api/v1/me/access`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      const { data } = (await response.json()) as { data?: { user: { email: string } } };
      return { status: response.status, ...(data && { email: data.user.email }) };
    }

    test('an application can use the API after sign-in and consent, and is not asked again', options, async () => {
      const { email } = await site.account();
      const page = await newPage();
      const begun = await application.begin();
      await page.goto(begun.address);
      await heading(page, 'Sign in');
      await waitForText(page, 'to continue to Harbor Charts');
      await fillIn(page, email);
      await heading(page, 'Allow Harbor Charts to use your account?');
      for (const words of [email, application.url, 'use the Almanac API on your behalf', 'see your email address'])
        await waitForText(page, words, 'main');
      await press(page, 'Allow');
      assert.deepEqual(await whoIs(begun, await cameBack(page)), { status: 200, email });

      const again = await application.begin();
      await page.goto(again.address);
      assert.equal((await whoIs(again, await cameBack(page))).email, email, 'needs neither sign-in nor consent');

      const byForm = await application.begin();
      await page.goto(`data:text/html,${encodeURIComponent(formFor(byForm.address))}`);
      await press(page, 'Go');
      assert.equal((await whoIs(byForm, await cameBack(page))).email, email, 'nor for a form of another site');

      await page.goto(`${site.url}/auth/account/applications`);
      await follow(page, 'Revoke Harbor Charts');
      await press(page, 'Revoke the access');
      await waitForText(page, 'The application can no longer use your account.');
      await page.goto((await application.begin()).address);
      await heading(page, 'Allow Harbor Charts to use your account?');
    });

    test('earlier consent needs only the password, also with redirects through several origins', options, async () => {
      const { email } = await site.account();
      await using large = await startApplication(site.identity, site.url, { name: 'Large', home: application.url });
      const page = await newPage();
      await page.goto((await large.begin()).address);
      await fillIn(page, email);
      await press(page, 'Allow');
      await cameBack(page);
      await page.goto(`${site.url}/auth/sign-out`);
      await press(page, 'Sign out');
      await waitForText(page, 'You are signed out.');
      const begun = await large.begin();
      const answer = await page.goto(begun.address);
      // The browser applies this policy to every redirect that follows.
      assert.match(String(answer?.headers()['content-security-policy']), /form-action 'self'$/);
      await fillIn(page, email);
      assert.equal((await whoIs(begun, await cameBack(page))).email, email);
    });

    test('denies an application before and after the sign-in', options, async () => {
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

    test('a signed-in browser is asked only for consent, and can change the account', options, async () => {
      const [first, second] = [await site.account(), await site.account()];
      const page = await newSignedInPage(site, first.email);
      const begun = await application.begin();
      await page.goto(begun.address);
      await heading(page, 'Allow Harbor Charts to use your account?');
      await waitForText(page, first.email);
      await follow(page, 'Use another account');
      await press(page, 'Sign out');
      await fillIn(page, second.email);
      await heading(page, 'Allow Harbor Charts to use your account?');
      await waitForText(page, second.email);
      await press(page, 'Allow');
      assert.deepEqual(await whoIs(begun, await cameBack(page)), { status: 200, email: second.email });
    });

    test(
      'a sign-out or another account in another tab does not grant consent for the previous account',
      options,
      async () => {
        const [first, second] = [await site.account(), await site.account()];
        const page = await newPage();
        const tab = await page.context().newPage();
        const begun = await application.begin();
        await page.goto(begun.address);
        await fillIn(page, first.email);
        await heading(page, 'Allow Harbor Charts to use your account?');
        await tab.goto(`${site.url}/auth/sign-out`);
        await press(tab, 'Sign out');
        await fillIn(tab, second.email);
        await heading(tab, 'Your account');
        await press(page, 'Allow');
        await heading(page, 'Allow Harbor Charts to use your account?');
        await waitForText(page, second.email);
        await press(page, 'Allow');
        assert.equal((await whoIs(begun, await cameBack(page))).email, second.email);
      },
    );

    test('an application can require the password of a signed-in account', options, async () => {
      const { email } = await site.account();
      const page = await newSignedInPage(site, email);
      const begun = await application.begin({ prompt: 'login' });
      await page.goto(begun.address);
      await heading(page, 'Sign in');
      assert.equal(await readField(page, 'Email address'), email);
      await fillIn(page, email);
      await press(page, 'Allow');
      assert.equal((await whoIs(begun, await cameBack(page))).email, email);
    });

    test('an application with several origins gets its user back', options, async () => {
      const { email } = await site.account();
      await using large = await startApplication(site.identity, site.url, { name: 'Large', home: application.url });
      const page = await newPage();
      const begun = await large.begin();
      await page.goto(begun.address);
      await fillIn(page, email);
      await press(page, 'Allow');
      assert.equal((await whoIs(begun, await cameBack(page))).email, email);
    });

    test('continues to the application after a sign-up', options, async () => {
      const email = 'newcomer@example.org';
      const page = await newPage();
      const begun = await application.begin();
      await page.goto(begun.address);
      await follow(page, 'Create an account');
      await fillIn(page, email, { button: 'Create account' });
      await heading(page, 'Check your email');
      const [mail] = await site.mail.mailsTo(email);
      await confirmSignUp(page, mail?.links[0]);
      await heading(page, 'Allow Harbor Charts to use your account?');
      await press(page, 'Allow');
      // A free account cannot use the API, but the application can identify it.
      const tokens = await begun.finish((await cameBack(page)).href);
      assert.equal(typeof tokens.claims()?.sub, 'string');
    });

    test('shows what to do for an expired or invalid request', options, async () => {
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
      await waitForText(stranger, 'Go back to the application');
      await stranger.goto(`${site.url}/auth/oauth/authorize?client_id=unknown`);
      await heading(stranger, 'The application sent an invalid request');
    });
  });
}
