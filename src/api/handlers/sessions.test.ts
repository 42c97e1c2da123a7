import assert from 'node:assert/strict';
import type { z } from 'zod';
import { openApi } from '../../../test/support/api/api.ts';
import { type Reply, requestAs } from '../../../test/support/api/request-as.ts';
import { makeAccount, PASSWORD, withKey, withSession } from '../../../test/support/identity/callers.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { BrowserSession } from '../../contract/sessions.ts';

const options = { migrations: MIGRATIONS };
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Returns the cookie that a response sets, as a request header. */
function cookieOf(reply: Reply<unknown>): { cookie: string } {
  assert.equal(reply.cookies.length, 1);
  return { cookie: reply.cookies[0]?.split(';', 1)[0] ?? '' };
}

forEachDatabase('a sign-in sets a valid cookie and ends the previous session', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { id, email } = await makeAccount(identity, { plan: 'free' });
  const signIn = { email: email.toUpperCase(), password: PASSWORD };

  const first = await requestAs(app, {})<{ user: object; expires_at: string }>('POST', '/v1/sessions', signIn);
  assert.equal(first.status, 201);
  assert.deepEqual(first.data.user, { id, email });
  assert.match(
    first.cookies[0] ?? '',
    new RegExp(`^__Host-almanac_session=alm_ses_[0-9A-Za-z]{49}; Max-Age=1209600; ${ATTRIBUTES}$`),
  );
  const browser = cookieOf(first);
  const { data } = await requestAs(app, browser)<{ sessions: { created_at: string }[] }>('GET', '/v1/me/sessions');
  const createdAt = Date.parse(data.sessions[0]?.created_at ?? '');
  assert.equal(Date.parse(first.data.expires_at) - createdAt, 1_209_600_000, 'fourteen days');
  assert.equal((await requestAs(app, browser)('GET', '/v1/me/access')).status, 200);

  const second = await requestAs(app, browser)('POST', '/v1/sessions', signIn);
  assert.notEqual(cookieOf(second).cookie, browser.cookie, 'a sign-in never keeps the previous session id');
  assert.equal((await requestAs(app, browser)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');

  const signedOut = await requestAs(app, cookieOf(second))('DELETE', '/v1/sessions/current');
  assert.deepEqual(signedOut.data, { signed_out: true });
  assert.match(signedOut.cookies[0] ?? '', /^__Host-almanac_session=; .*Expires=Thu, 01 Jan 1970/);
  assert.equal((await requestAs(app, cookieOf(second))('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
});

forEachDatabase('a wrong password and an unknown address get the same response', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { email } = await makeAccount(identity);
  const keysOnly = await makeAccount(identity, { password: null });
  const request = requestAs(app, {});
  const wrong = await request('POST', '/v1/sessions', { email, password: 'wrong horse battery' });
  assert.deepEqual([wrong.status, wrong.code, wrong.cookies], [401, 'UNAUTHENTICATED', []]);
  for (const unknown of ['unknown@example.org', keysOnly.email, 'not an address'])
    assert.equal(
      (await request('POST', '/v1/sessions', { email: unknown, password: PASSWORD })).body,
      wrong.body,
      unknown,
    );
  for (const odd of ['a\u0000@example.org', '\ud800@example.org'])
    assert.equal((await request('POST', '/v1/sessions', { email: odd, password: PASSWORD })).code, 'INVALID_REQUEST');
});

forEachDatabase(
  'limits password attempts for one account from one network',
  { ...options, only: 'pglite' },
  async (fixture) => {
    const { app, identity } = await openApi(fixture.database);
    fixture.cleanup(() => app.close());
    const { email } = await makeAccount(identity);
    const guess = async (address: string, spelling = email) =>
      (await requestAs(app, {}, address)('POST', '/v1/sessions', { email: spelling, password: 'a wrong guess' })).code;
    const codes: unknown[] = [];
    for (let host = 1; host <= 11; host++)
      codes.push(await guess(`2001:db8:0:1::${host}`, host % 2 ? email : email.toUpperCase()));
    assert.deepEqual(codes, [...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED']);
    assert.equal(await guess('2001:db8:0:2::1'), 'UNAUTHENTICATED', 'another network');
    assert.equal(await guess('2001:db8:0:1::1', 'other@example.org'), 'UNAUTHENTICATED', 'another account');
    const right = await requestAs(app, {}, '192.0.2.1')('POST', '/v1/sessions', { email, password: PASSWORD });
    assert.equal(right.status, 201, 'attempts from other networks do not lock the owner out');
  },
);

forEachDatabase('a browser lists its account’s sessions and can end the others', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const account = await makeAccount(identity);
  const [here, there] = [await withSession(identity, account.email), await withSession(identity, account.email)];
  const key = await withKey(identity, account.id);
  const list = async (credentials: Parameters<typeof requestAs>[1]) =>
    (await requestAs(app, credentials)<{ sessions: z.output<typeof BrowserSession>[] }>('GET', '/v1/me/sessions')).data
      .sessions;
  assert.deepEqual((await list(here)).map(({ current }) => current).sort(), [false, true]);
  const [mine, theirs] = [(await list(here)).find((s) => s.current), (await list(there)).find((s) => s.current)];
  assert.notEqual(mine?.id, theirs?.id);
  assert.deepEqual(
    (await list(key)).map(({ current }) => current),
    [false, false],
    'a key is not a browser session',
  );

  const ended = await requestAs(app, here)('DELETE', '/v1/me/sessions');
  assert.deepEqual(ended.data, { ended: 1 });
  assert.equal((await requestAs(app, there)('GET', '/v1/me/sessions')).code, 'UNAUTHENTICATED');
  assert.deepEqual(await list(here), [mine]);
  assert.deepEqual((await requestAs(app, key)('DELETE', '/v1/me/sessions')).data, { ended: 1 });
  assert.equal((await requestAs(app, here)('GET', '/v1/me/sessions')).code, 'UNAUTHENTICATED');
});

forEachDatabase('a guest keeps its identity, and a sign-in does not promote it', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { email } = await makeAccount(identity);
  const first = await requestAs(app, {})('POST', '/v1/guest-sessions');
  assert.equal(first.status, 201);
  assert.match(
    first.cookies[0] ?? '',
    new RegExp(`^__Host-almanac_guest=alm_gst_[0-9A-Za-z]{49}; Max-Age=2592000; ${ATTRIBUTES}$`),
  );
  const guest = cookieOf(first);
  const again = await requestAs(app, guest)('POST', '/v1/guest-sessions');
  assert.deepEqual([again.data, again.cookies], [first.data, []]);

  const signedIn = await requestAs(app, guest)('POST', '/v1/sessions', { email, password: PASSWORD });
  assert.equal(
    (await requestAs(app, guest)('GET', '/v1/me/access')).code,
    'ACCOUNT_REQUIRED',
    'the guest session is unchanged',
  );
  const both = { cookie: `${guest.cookie}; ${cookieOf(signedIn).cookie}` };
  assert.equal(
    (await requestAs(app, both)('GET', '/v1/me/access')).status,
    200,
    'the session takes precedence over the guest cookie',
  );
  const withBadKey = { ...both, authorization: 'Bearer alm_pat_wrong' };
  assert.equal(
    (await requestAs(app, withBadKey)('GET', '/v1/me/access')).code,
    'UNAUTHENTICATED',
    'an invalid key is not replaced by a cookie',
  );
});
