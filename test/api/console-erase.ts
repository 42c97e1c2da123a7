import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleBrowser, hiddenField, openBrowser } from '../support/api/console-browser.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { create, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { PASSWORD } from '../support/identity/callers.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { makeMember, makeWorkspace, personalWorkspace } from '../support/workspaces/workspaces.ts';

const ERASE = '/auth/account/erase';
const EXPORT = '/auth/account/export';

async function readSeen(browser: ConsoleBrowser): Promise<string> {
  return hiddenField((await browser.get(ERASE)).body, ERASE, 'seen');
}

/** Tests the pages on which an account exports its data and leaves. */
export function testErasePages(service: () => ForecastService): void {
  test('the page lists everything, and the form erases the account and says farewell', async () => {
    const browser = await openBrowser(service(), 'pro');
    const kept = await createCompleted(service(), browser.caller, { visibility: 'public', title: '<b>Stays</b>' });
    await createCompleted(service(), browser.caller, { visibility: 'public', title: 'Goes' });
    const page = await browser.get(ERASE);
    assert.equal(page.status, 200);
    assert.ok(page.body.includes('&lt;b&gt;Stays&lt;/b&gt;') && !page.body.includes('<b>Stays'));
    assert.match(page.text, /2 forecasts .*1 workspace /s);
    const fields = { seen: await readSeen(browser), [`keep.${kept.forecast_id}`]: 'on' };
    const wrong = await browser.post(ERASE, { ...fields, password: 'a wrong guess' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /The password is not the password of this account/);
    assert.match(wrong.body, new RegExp(`name="keep.${kept.forecast_id}" value="on" checked`));
    assert.match((await browser.post(ERASE, { ...fields, password: '' })).text, /Enter your password/);
    const { status, location } = await browser.post(ERASE, { ...fields, password: PASSWORD });
    assert.deepEqual([status, location], [303, '/auth/farewell']);
    assert.equal(browser.cookies.has('__Host-almanac_session'), false);
    assert.match(
      (await browser.get('/auth/farewell')).text,
      /The account is erased.*If you chose public forecasts that stay/,
    );
    assert.match((await browser.get(`/forecasts/${kept.slug}`)).text, /Stays/);
  });

  test('a form that does not show the present state changes nothing', async () => {
    const browser = await openBrowser(service(), 'pro');
    const seen = await readSeen(browser);
    await create(browser.caller);
    const before = await readComparableRows(service().database);
    for (const stale of [{ seen }, {}, { seen: 'x' }]) {
      const { status, text } = await browser.post(ERASE, { ...stale, password: PASSWORD });
      assert.equal(status, 409);
      assert.match(text, /has changed since you opened this page. Nothing was erased/);
    }
    const foreign = { headers: { origin: 'https://evil.example' } };
    assert.equal((await browser.post(ERASE, { password: PASSWORD }, foreign)).status, 403);
    assert.deepEqual(await readComparableRows(service().database), before);
  });

  test('an owner of shared workspaces sees them, what would be removed and no form', async () => {
    const { database } = service();
    const browser = await openBrowser(service(), 'pro');
    const member = await openBrowser(service(), 'pro');
    const { id, slug } = await makeWorkspace(database, browser.caller.accountId ?? '', 'Shared');
    await makeMember(database, id, member.caller.accountId ?? '');
    await createCompleted(service(), browser.caller, { title: 'Also listed' });
    const { status, body, text } = await browser.get(ERASE);
    assert.deepEqual([status, body.includes('<form method="post"')], [200, false]);
    assert.match(text, /cannot be erased yet.*What is removed.*1 forecast Also listed.*2 workspaces/s);
    assert.ok(body.includes(`href="/workspaces/${slug}"`));
    assert.equal((await browser.post(ERASE, { password: PASSWORD })).status, 409);
    assert.match((await member.get(ERASE)).text, /Shared : nothing of yours stays there/);
  });

  test('the members of a personal workspace can only be removed, and the page says so', async () => {
    const { database } = service();
    const browser = await openBrowser(service(), 'pro');
    const member = await openBrowser(service(), 'pro');
    const { id } = await personalWorkspace(database, browser.caller.accountId ?? '');
    await makeMember(database, id, member.caller.accountId ?? '');
    const { text } = await browser.get(ERASE);
    assert.match(text, /Other members work in your personal workspace\. Remove them\./);
    assert.doesNotMatch(text, /Give each to a member|delete it/);
    const refused = await browser.caller.request('DELETE', '/v1/me', { current_password: PASSWORD });
    assert.equal(refused.code, 'CONFLICT');
    assert.match(refused.body, /Remove the members of this personal workspace first/);
  });

  test('visitors without an account see what the pages are for', async () => {
    const guest = await openBrowser(service(), 'guest');
    const newcomer = pageVisitor(service().app);
    for (const path of [ERASE, EXPORT]) {
      for (const [browser, expected] of [
        [guest, 403],
        [newcomer, 401],
      ] as const) {
        const { status, body, text } = await browser.get(path);
        assert.equal(status, expected, path);
        assert.match(text, /Create an account/);
        assert.ok(body.includes(`return_to=${encodeURIComponent(path)}`) && !body.includes('method="post"'));
        assert.equal((await browser.get(`${EXPORT}/download`)).status, expected);
      }
    }
    assert.equal((await newcomer.post(ERASE, { password: PASSWORD })).status, 401);
    const account = await openBrowser(service(), 'free');
    assert.match((await account.get(EXPORT)).text, /written as it was read, with commas .*Download the archive/);
    assert.match((await account.get('/')).text, /If you made forecasts before: My forecasts/);
    const { status, headers } = await account.get(`${EXPORT}/download`);
    assert.deepEqual([status, headers['content-type']], [200, 'application/zip']);
    assert.equal((await account.get('/auth/farewell')).location, '/auth/account');
  });
}
