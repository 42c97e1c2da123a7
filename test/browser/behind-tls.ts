import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { openFullSite } from '../support/identity/full-site.ts';
import { confirmSignUp, fillIn, follow, heading, press } from './steps.ts';

/** Tests a site behind a proxy that terminates TLS. */
export function testBehindTls(): void {
  test('signs up, out and in behind a TLS proxy', { skip: noBrowser }, async () => {
    await using site = await openFullSite({ tls: true });
    const page = await newPage({ ignoreHTTPSErrors: true });
    const email = 'remote@example.org';
    const answer = await page.goto(`${site.url}/auth/sign-up`);
    assert.equal(answer?.headers()['strict-transport-security'], 'max-age=31536000');
    await fillIn(page, email, { button: 'Create account' });
    const [mail] = await site.mail.mailsTo(email);
    assert.ok(mail?.links[0]?.startsWith(`${site.url}/auth/sign-up/confirm?token=`));
    await confirmSignUp(page, mail?.links[0]);
    await heading(page, 'Forecasts that anyone can check');
    await follow(page, 'Account');
    await heading(page, 'Your account');
    const session = (await page.context().cookies()).find(({ name }) => name === '__Host-almanac_session');
    assert.deepEqual([session?.secure, session?.httpOnly, session?.sameSite], [true, true, 'Lax']);

    await follow(page, 'Sign out');
    await press(page, 'Sign out');
    await fillIn(page, email);
    await heading(page, 'Your account');
  });
}
