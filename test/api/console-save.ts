import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { GUEST_DAYS } from '../../src/api/pages/console/actions/save-views.ts';
import { DAY_MS } from '../../src/calendar/index.ts';
import { GUEST_LIFETIME_MS } from '../../src/identity/index.ts';
import { addCookie, type ConsoleBrowser, openBrowser } from '../support/api/console-browser.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { create, FORECASTS, type ForecastService, type Started } from '../support/forecasts/forecast-service.ts';
import { makeAccount, PASSWORD, withSession } from '../support/identity/callers.ts';

const SAVE = '__Host-almanac_save';
const SESSION = '__Host-almanac_session';

let service: ForecastService;
let guest: ConsoleBrowser;
let forecast: Started;

const pathOf = ({ slug }: Started, action = 'save') => `/forecasts/${slug}/${action}`;

/** Signs an account in with the browser, which keeps its guest cookie. @returns its email address */
async function signIn(browser: ConsoleBrowser): Promise<string> {
  const { email } = await makeAccount(service.identity);
  addCookie(browser, (await withSession(service.identity, email)).cookie ?? '');
  return email;
}

/** Sends the save form and follows the redirects that send it again, as a browser does. */
async function save(browser: ConsoleBrowser, path: string) {
  let reply = await browser.post(path, {});
  let sent = 1;
  for (; reply.status === 307 && sent < 5; sent++) reply = await browser.post(String(reply.location), {});
  return { ...reply, sent };
}

async function readStatus(browser: ConsoleBrowser, { forecast_id }: Started): Promise<number> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = `/api${FORECASTS}/${forecast_id}`;
  return (await service.app.inject({ url, headers: { cookie } })).statusCode;
}

async function newForecast(): Promise<Started> {
  guest.cookies.delete(SESSION);
  guest.cookies.delete(SAVE);
  forecast = await createCompleted(service, guest.caller, { title: 'Kept' });
  return forecast;
}

/** Tests how a guest's forecast comes to an account. */
export function testSaving(open: () => ForecastService): void {
  describe('saving a guest’s forecast in the browser', () => {
    before(async () => {
      service = open();
      guest = await openBrowser(service, 'guest');
    });

    test('a guest prepares, signs in and saves: 3.2 of the contract', async () => {
      await newForecast();
      assert.match((await guest.get(pathOf(forecast))).text, /Save this forecast.*Create an account.*Sign in/);
      for (const [to, page] of [
        ['sign-up', '/auth/sign-up'],
        ['sign-in', '/auth/sign-in'],
        ['https://evil.example', '/auth/sign-in'],
      ] as const) {
        const { status, location } = await guest.post(pathOf(forecast, 'prepare-save'), { to });
        const target = `${page}?return_to=${encodeURIComponent(pathOf(forecast))}`;
        assert.deepEqual([status, location], [303, target]);
      }
      assert.ok(guest.cookies.has(SAVE));
      const { email } = await makeAccount(service.identity);
      const signedIn = await guest.post('/auth/sign-in', { email, password: PASSWORD, return_to: pathOf(forecast) });
      const back = await guest.get(String(signedIn.location));
      assert.equal(back.location, pathOf(forecast));
      const page = await guest.get(pathOf(forecast));
      assert.match(page.text, new RegExp(`Kept , made at .* You are signed in as ${email}`));
      const saved = await save(guest, pathOf(forecast));
      assert.deepEqual([saved.status, saved.location, saved.sent], [303, `/forecasts/${forecast.slug}`, 1]);
      assert.ok(!guest.cookies.has(SAVE), 'the cookie works once');
      assert.equal(await readStatus(guest, forecast), 200);
      assert.equal((await guest.caller.request('GET', `${FORECASTS}/${forecast.forecast_id}`)).status, 404);
      // Repeated: the same answer, and the page states that there is nothing left to do.
      assert.equal((await save(guest, pathOf(forecast))).status, 303);
      assert.match((await guest.get(pathOf(forecast))).text, /This forecast is in your account/);
      assert.equal(GUEST_DAYS * DAY_MS, GUEST_LIFETIME_MS);
    });

    test('a cookie that expired, was spent or was lost on the way is replaced without signing out', async () => {
      for (const loss of ['expired', 'lost', 'foreign', 'never prepared'] as const) {
        await newForecast();
        if (loss !== 'never prepared') await guest.post(pathOf(forecast, 'prepare-save'), {});
        if (loss === 'expired')
          await sql`UPDATE save_proof SET expires_at = now() - interval '1 minute'`.execute(service.database.query());
        if (loss === 'lost') guest.cookies.delete(SAVE);
        if (loss === 'foreign') guest.cookies.set(SAVE, 'A'.repeat(43));
        await signIn(guest);
        assert.match((await guest.get(pathOf(forecast))).text, /made in this browser before you signed in/, loss);
        const saved = await save(guest, pathOf(forecast));
        assert.deepEqual([saved.status, saved.sent], [303, 2], loss);
        assert.equal(await readStatus(guest, forecast), 200, loss);
      }
    });

    test('the cookie alone is enough if the guest cookie is gone', async () => {
      await newForecast();
      await guest.post(pathOf(forecast, 'prepare-save'), {});
      const email = await signIn(guest);
      const half = await openBrowser(service, 'guest');
      half.cookies.clear();
      for (const name of [SAVE, SESSION]) half.cookies.set(name, guest.cookies.get(name) ?? '');
      const page = await half.get(pathOf(forecast));
      assert.match(page.text, new RegExp(`made a forecast before you signed in.*You are signed in as ${email}`));
      assert.doesNotMatch(page.text, /Kept/);
      assert.equal((await save(half, pathOf(forecast))).status, 303);
    });

    test('a browser that refuses the cookie gets an explanation instead of an endless redirect', async () => {
      await newForecast();
      await signIn(guest);
      const first = await guest.post(pathOf(forecast), {});
      assert.equal(first.status, 307);
      guest.cookies.delete(SAVE);
      const second = await guest.post(String(first.location), {});
      assert.equal(second.status, 403);
      assert.match(second.text, /did not keep the cookie.*Allow cookies/);
    });

    test('another browser, another guest and another account get no forecast and the way to it', async () => {
      await newForecast();
      await guest.post(pathOf(forecast, 'prepare-save'), {});
      const account = await openBrowser(service, 'free');
      const otherGuest = await openBrowser(service, 'guest');
      for (const browser of [account, otherGuest]) {
        const page = await browser.get(pathOf(forecast));
        assert.equal(page.status, 404);
        assert.match(page.text, /This browser cannot save this forecast.*in another browser/);
        assert.doesNotMatch(page.text, /Kept/);
      }
      for (const path of [pathOf(forecast), pathOf(forecast, 'prepare-save')]) {
        assert.equal((await save(account, path)).status, 404, path);
        assert.equal((await save(otherGuest, path)).status, 404, path);
      }
      // An account that has the guest cookie of another guest beside its own session.
      addCookie(account, otherGuest.caller.credentials.cookie ?? '');
      assert.equal((await save(account, pathOf(forecast))).status, 404);
      assert.equal(
        (await guest.caller.request('GET', `${FORECASTS}/${forecast.forecast_id}`)).status,
        200,
        'nothing is lost',
      );
    });

    test('of two accounts with the same cookie, one gets the forecast', async () => {
      await newForecast();
      await guest.post(pathOf(forecast, 'prepare-save'), {});
      const browsers = await Promise.all([1, 2].map(() => openBrowser(service, 'free')));
      for (const browser of browsers) browser.cookies.set(SAVE, guest.cookies.get(SAVE) ?? '');
      const replies = await Promise.all(browsers.map((browser) => save(browser, pathOf(forecast))));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 404]);
    });

    test('a guest is asked to sign in, and only a completed forecast can be saved', async () => {
      await newForecast();
      const refused = await guest.post(pathOf(forecast), {});
      assert.equal(refused.status, 403);
      assert.match(refused.text, /A guest cannot save a forecast\. Sign in first\./);
      const other = await openBrowser(service, 'guest');
      const { data: queued } = await create(other.caller);
      assert.match((await other.get(pathOf(queued))).text, /It is queued\. Save it as soon as it has completed\./);
      const early = await other.post(pathOf(queued, 'prepare-save'), {});
      assert.equal(early.status, 409);
      assert.match(early.text, /The forecast was not saved.*status queued/);
      await signIn(other);
      assert.match((await other.get(pathOf(queued))).text, /It is queued/);
      assert.equal((await save(other, pathOf(queued))).status, 409);
      await other.caller.request('POST', `${FORECASTS}/${queued.forecast_id}/cancel`);
      assert.match((await other.get(pathOf(queued))).text, /It has no result/);
    });

    test('a signed-in browser that follows the form of a guest saves, and GET leads to the save page', async () => {
      await newForecast();
      const { location, status } = await guest.get(pathOf(forecast, 'prepare-save'));
      assert.deepEqual([status, location], [303, pathOf(forecast)]);
      await signIn(guest);
      assert.equal((await save(guest, pathOf(forecast, 'prepare-save'))).status, 303);
      assert.equal(await readStatus(guest, forecast), 200);
    });

    test('the other forecasts of the guest are offered after the sign-in, and its address leads there', async () => {
      const rest = await newForecast();
      await newForecast();
      assert.doesNotMatch(
        (await guest.get(pathOf(forecast))).text,
        /From before you signed in/,
        'the visitor is still a guest',
      );
      await signIn(guest);
      const page = await guest.get(pathOf(forecast));
      assert.match(page.text, /From before you signed in/);
      assert.ok(page.body.includes(`action="${pathOf(rest)}"`), 'with a button of its own');
      assert.equal(page.body.split(`action="${pathOf(forecast)}"`).length, 2, 'without a second button for this one');
      const found = await guest.get(`/forecasts/${rest.slug}`);
      assert.deepEqual([found.status, found.location], [303, pathOf(rest)]);
      for (const one of [forecast, rest]) assert.equal((await save(guest, pathOf(one))).status, 303);
      const { body, status } = await guest.get(`/forecasts/${rest.slug}`);
      assert.equal(status, 200);
      assert.match(body, /The forecast is saved/);
      const done = await guest.get(pathOf(forecast));
      assert.ok(!done.body.includes(`action="${pathOf(rest)}"`), 'what is saved is not offered again');
      // An invalid guest cookie takes nothing from the account.
      guest.cookies.set('__Host-almanac_guest', 'x'.repeat(43));
      assert.equal((await guest.get(pathOf(forecast))).status, 200);
      addCookie(guest, guest.caller.credentials.cookie ?? '');
    });

    test('a public forecast of another account is not saved but reproduced', async () => {
      const owner = await openBrowser(service, 'pro');
      const published = await createCompleted(service, owner.caller, { visibility: 'public' });
      const reader = await openBrowser(service, 'free');
      for (const reply of [await reader.get(pathOf(published)), await guest.get(pathOf(published))])
        assert.match(reply.text, /It belongs to another account\. Reproduce it/);
      assert.equal((await save(reader, pathOf(published))).status, 403);
    });
  });
}
