import assert from 'node:assert/strict';
import type { z } from 'zod';
import { openApi } from '../../../test/support/api/api.ts';
import { askAs, type Reply } from '../../../test/support/api/ask.ts';
import { makeAccount, PASSWORD, withKey, withSession } from '../../../test/support/identity/callers.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { BrowserSession } from '../../contract/sessions.ts';

const options = { migrations: MIGRATIONS };
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** The one cookie that a reply sets, for sending it back. */
function cookieOf(reply: Reply<unknown>): { cookie: string } {
  assert.equal(reply.cookies.length, 1);
  return { cookie: reply.cookies[0]?.split(';', 1)[0] ?? '' };
}

forEachDatabase('signing in sets a cookie that works, and ends the one before', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { id, email } = await makeAccount(identity, { plan: 'free' });
  const signIn = { email: email.toUpperCase(), password: PASSWORD };

  const first = await askAs(app, {})<{ user: object; expires_at: string }>('POST', '/v1/sessions', signIn);
  assert.equal(first.status, 201);
  assert.deepEqual(first.data.user, { id, email });
  assert.match(
    first.cookies[0] ?? '',
    new RegExp(`^__Host-almanac_session=alm_ses_[0-9A-Za-z]{49}; Max-Age=1209600; ${ATTRIBUTES}$`),
  );
  const inFourteenDays = Date.now() + 1_209_600_000;
  assert.ok(Math.abs(Date.parse(first.data.expires_at) - inFourteenDays) < 60_000);
  const browser = cookieOf(first);
  assert.equal((await askAs(app, browser)('GET', '/v1/me/access')).status, 200);

  const second = await askAs(app, browser)('POST', '/v1/sessions', signIn);
  assert.notEqual(cookieOf(second).cookie, browser.cookie, 'never the id that was there before');
  assert.equal((await askAs(app, browser)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');

  const signedOut = await askAs(app, cookieOf(second))('DELETE', '/v1/sessions/current');
  assert.deepEqual(signedOut.data, { signed_out: true });
  assert.match(signedOut.cookies[0] ?? '', /^__Host-almanac_session=; .*Expires=Thu, 01 Jan 1970/);
  assert.equal((await askAs(app, cookieOf(second))('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
});

forEachDatabase('a wrong password and an unknown address get the same answer', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { email } = await makeAccount(identity);
  const keysOnly = await makeAccount(identity, { password: null });
  const ask = askAs(app, {});
  const wrong = await ask('POST', '/v1/sessions', { email, password: 'wrong horse battery' });
  assert.deepEqual([wrong.status, wrong.code, wrong.cookies], [401, 'UNAUTHENTICATED', []]);
  for (const unknown of ['nobody@example.org', keysOnly.email, 'not an address'])
    assert.equal((await ask('POST', '/v1/sessions', { email: unknown, password: PASSWORD })).body, wrong.body, unknown);
  for (const odd of ['a\u0000@example.org', '\ud800@example.org'])
    assert.equal((await ask('POST', '/v1/sessions', { email: odd, password: PASSWORD })).code, 'INVALID_REQUEST');
});

forEachDatabase('guesses at one account from one network are few', { ...options, only: 'pglite' }, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { email } = await makeAccount(identity);
  const guess = async (address: string, spelling = email) =>
    (await askAs(app, {}, address)('POST', '/v1/sessions', { email: spelling, password: 'a wrong guess' })).code;
  const codes: unknown[] = [];
  for (let host = 1; host <= 11; host++)
    codes.push(await guess(`2001:db8:0:1::${host}`, host % 2 ? email : email.toUpperCase()));
  assert.deepEqual(codes, [...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED']);
  assert.equal(await guess('2001:db8:0:2::1'), 'UNAUTHENTICATED', 'another network');
  assert.equal(await guess('2001:db8:0:1::1', 'other@example.org'), 'UNAUTHENTICATED', 'another account');
  const right = await askAs(app, {}, '192.0.2.1')('POST', '/v1/sessions', { email, password: PASSWORD });
  assert.equal(right.status, 201, 'nobody is locked out of the own account by guesses from elsewhere');
});

forEachDatabase('a browser sees its sessions and can end the others', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const account = await makeAccount(identity);
  const [here, there] = [await withSession(identity, account.email), await withSession(identity, account.email)];
  const key = await withKey(identity, account.id);
  const list = async (who: Parameters<typeof askAs>[1]) =>
    (await askAs(app, who)<{ sessions: z.output<typeof BrowserSession>[] }>('GET', '/v1/me/sessions')).data.sessions;
  assert.deepEqual((await list(here)).map(({ current }) => current).sort(), [false, true]);
  const [mine, theirs] = [(await list(here)).find((s) => s.current), (await list(there)).find((s) => s.current)];
  assert.notEqual(mine?.id, theirs?.id);
  assert.deepEqual(
    (await list(key)).map(({ current }) => current),
    [false, false],
    'a key is no browser',
  );

  const ended = await askAs(app, here)('DELETE', '/v1/me/sessions');
  assert.deepEqual(ended.data, { ended: 1 });
  assert.equal((await askAs(app, there)('GET', '/v1/me/sessions')).code, 'UNAUTHENTICATED');
  assert.deepEqual(await list(here), [mine]);
  assert.deepEqual((await askAs(app, key)('DELETE', '/v1/me/sessions')).data, { ended: 1 });
  assert.equal((await askAs(app, here)('GET', '/v1/me/sessions')).code, 'UNAUTHENTICATED');
});

forEachDatabase('a guest keeps its identity, and signing in does not promote it', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { email } = await makeAccount(identity);
  const first = await askAs(app, {})('POST', '/v1/guest-sessions');
  assert.equal(first.status, 201);
  assert.match(
    first.cookies[0] ?? '',
    new RegExp(`^__Host-almanac_guest=alm_gst_[0-9A-Za-z]{49}; Max-Age=2592000; ${ATTRIBUTES}$`),
  );
  const guest = cookieOf(first);
  const again = await askAs(app, guest)('POST', '/v1/guest-sessions');
  assert.deepEqual([again.data, again.cookies], [first.data, []]);

  const signedIn = await askAs(app, guest)('POST', '/v1/sessions', { email, password: PASSWORD });
  assert.equal((await askAs(app, guest)('GET', '/v1/me/access')).code, 'ACCOUNT_REQUIRED', 'the guest is still one');
  const both = { cookie: `${guest.cookie}; ${cookieOf(signedIn).cookie}` };
  assert.equal((await askAs(app, both)('GET', '/v1/me/access')).status, 200, 'beside it the account is itself');
  const withBadKey = { ...both, authorization: 'Bearer alm_pat_wrong' };
  assert.equal((await askAs(app, withBadKey)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED', 'a key is meant');
});
