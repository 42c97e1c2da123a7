import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { createGuest } from '../../src/identity/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { type Reply, requestAs, type SendRequest } from '../support/api/request-as.ts';
import { addForecastRow, setForecastStatus } from '../support/forecasts/forecast-rows.ts';
import { type Credentials, makeAccount, withKey, withSession } from '../support/identity/callers.ts';
import { forEachDatabase, type TestDatabase } from '../support/platform/database.ts';
import { tablesContaining } from '../support/platform/rows.ts';

const MIGRATED = { migrations: MIGRATIONS };
const UNLIMITED = { ALMANAC_RATE_PRO: '1000000', ALMANAC_RATE_ANONYMOUS: '1000000' };
const UNKNOWN_ID = 'ef_00000000000000000000000000';
const CLEARED =
  '__Host-almanac_save=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax';

type Prepared = { forecast_id: string; ready_to_sign_in: boolean };
type Saved = { forecast_id: string; saved: boolean };

forEachDatabase('a guest prepares, signs in and saves a forecast', MIGRATED, async (fixture) => {
  const { api, database, guest, id } = await open(fixture);
  const prepared = await prepare(guest, id);
  assert.equal(prepared.status, 200);
  assert.deepEqual(prepared.data, { forecast_id: id, ready_to_sign_in: true });
  const secret = secretOf(prepared);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.deepEqual(prepared.cookies, [
    `__Host-almanac_save=${secret}; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ]);

  const { email } = await makeAccount(api.identity, { plan: 'free', verified: false });
  const session = await withSession(api.identity, email);
  const browser = requestAs(api.app, withCookie(session, secret));
  const saved = await save(browser, id);
  assert.deepEqual([saved.status, saved.data], [200, { forecast_id: id, saved: true }]);
  assert.deepEqual(saved.cookies, [CLEARED]);

  const repeat = await save(browser, id);
  assert.deepEqual([repeat.status, repeat.data, repeat.cookies], [200, saved.data, [CLEARED]]);
  const later = await save(requestAs(api.app, session), id);
  assert.deepEqual([later.status, later.data, later.cookies], [200, saved.data, []]);
  assert.equal((await guest('GET', `/v1/ensemble-forecasts/${id}`)).status, 404);
  assert.equal((await prepare(guest, id)).status, 404);

  for (const { body } of [prepared, saved, repeat, later]) assert.ok(!body.includes(secret));
  assert.match(api.logged(), /prepare-save/);
  assert.ok(!api.logged().includes(secret));
  assert.deepEqual(await tablesContaining(database, secret), []);
});

forEachDatabase('accepts the slug instead of the id', MIGRATED, async (fixture) => {
  const { api, database, guest, id } = await open(fixture);
  await sql`UPDATE forecast SET slug = 'sales-of-ice' WHERE id = ${id}`.execute(database.query());
  const prepared = await prepare(guest, 'sales-of-ice');
  assert.deepEqual(prepared.data, { forecast_id: id, ready_to_sign_in: true });
  const account = await newAccount(api);
  const saved = await save(requestAs(api.app, withCookie(account, secretOf(prepared))), 'sales-of-ice');
  assert.deepEqual(saved.data, { forecast_id: id, saved: true });
});

forEachDatabase('a caller that may not prepare gets no cookie', MIGRATED, async (fixture) => {
  const { api, database, guest, id } = await open(fixture);
  const other = requestAs(api.app, (await newGuest(api)).credentials);
  const account = requestAs(api.app, await newAccount(api));
  const refusals = [
    [await prepare(other, id), 404, 'NOT_FOUND'],
    [await prepare(guest, UNKNOWN_ID), 404, 'NOT_FOUND'],
    [await prepare(account, id), 403, 'OWNERSHIP_REQUIRED'],
    [await prepare(account, UNKNOWN_ID), 403, 'OWNERSHIP_REQUIRED'],
    [await prepare(requestAs(api.app, {}), id), 401, 'UNAUTHENTICATED'],
  ] as const;
  await setForecastStatus(database, id, 'running');
  const early = await prepare(guest, id);
  for (const [reply, status, code] of [...refusals, [early, 409, 'NOT_COMPLETED'] as const]) {
    assert.deepEqual([reply.status, reply.code, reply.cookies], [status, code, []]);
  }
  assert.equal(refusals[0][0].body, refusals[1][0].body);
});

forEachDatabase('a caller that may not save is refused and keeps its cookie', MIGRATED, async (fixture) => {
  const { api, database, guest, guestCredentials, guestId, id } = await open(fixture);
  const [first, second] = [await newAccount(api), await newAccount(api)];
  const secret = secretOf(await prepare(guest, id));
  const another = await addForecastRow(database, { owner: guestId, status: 'completed' });

  const unknown = await save(requestAs(api.app, first), UNKNOWN_ID);
  assert.equal(unknown.code, 'NOT_FOUND');
  for (const [credentials, name] of [
    [first, id],
    [withCookie(first, 'wrong'), id],
    [withCookie(first, secret), another],
    [withCookie(first, secret), UNKNOWN_ID],
    // A guest session does not help an account: signing in never promotes a guest.
    [{ ...first, ...guestCredentials }, id],
  ] as const) {
    const reply = await save(requestAs(api.app, credentials), name);
    assert.deepEqual([reply.status, reply.body, reply.cookies], [404, unknown.body, []]);
  }
  const asGuest = await save(requestAs(api.app, withCookie(guestCredentials, secret)), id);
  assert.deepEqual([asGuest.status, asGuest.code], [403, 'ACCOUNT_REQUIRED']);

  assert.equal((await save(requestAs(api.app, withCookie(first, secret)), id)).status, 200);
  const replayed = await save(requestAs(api.app, withCookie(second, secret)), id);
  assert.deepEqual([replayed.status, replayed.code, replayed.cookies], [403, 'OWNERSHIP_REQUIRED', []]);
  assert.equal((await save(requestAs(api.app, second), id)).body, unknown.body);

  const late = secretOf(await prepare(guest, another));
  await sql`UPDATE save_proof SET expires_at = now() - interval '1 second' WHERE forecast_id = ${another}`.execute(
    database.query(),
  );
  const expired = await save(requestAs(api.app, withCookie(first, late)), another);
  assert.deepEqual([expired.status, expired.code], [403, 'OWNERSHIP_REQUIRED']);
  for (const shown of [secret, late]) assert.ok(![replayed, expired, asGuest].some(({ body }) => body.includes(shown)));
  assert.ok(!api.logged().includes(secret) && !api.logged().includes(late));
});

forEachDatabase('saving an own forecast keeps a cookie for another forecast', MIGRATED, async (fixture) => {
  const { api, guest, id, guestId, database } = await open(fixture);
  const account = await newAccount(api);
  await save(requestAs(api.app, withCookie(account, secretOf(await prepare(guest, id)))), id);
  const another = await addForecastRow(database, { owner: guestId, status: 'completed' });
  const browser = requestAs(api.app, withCookie(account, secretOf(await prepare(guest, another))));
  const own = await save(browser, id);
  assert.deepEqual([own.data.saved, own.cookies], [true, []]);
  assert.deepEqual((await save(browser, another)).cookies, [CLEARED]);
});

forEachDatabase('refuses to prepare and save for a request from another site', MIGRATED, async (fixture) => {
  const { api, guestCredentials, guest, id } = await open(fixture);
  const { email } = await makeAccount(api.identity);
  const session = await withSession(api.identity, email);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const secret = secretOf(await prepare(guest, id));
  const prepared = await prepare(requestAs(api.app, { ...guestCredentials, ...foreign }), id);
  const saved = await save(requestAs(api.app, { ...withCookie(session, secret), ...foreign }), id);
  assert.deepEqual([prepared.code, saved.code], ['ORIGIN_DENIED', 'ORIGIN_DENIED']);
  const key = await newAccount(api);
  for (const headers of [{ origin: foreign.origin }, { 'sec-fetch-site': 'cross-site' }]) {
    const byKey = await save(requestAs(api.app, { ...withCookie(key, secret), ...headers }), id);
    assert.equal(byKey.code, 'ORIGIN_DENIED', 'the proof is a cookie, so the origin is checked even with a key');
    assert.equal(
      (await save(requestAs(api.app, { ...key, ...headers }), id)).code,
      'NOT_FOUND',
      'without the cookie the origin does not matter',
    );
  }
  assert.equal((await save(requestAs(api.app, withCookie(session, secret)), id)).status, 200);
});

forEachDatabase('50 concurrent requests with one cookie all succeed', MIGRATED, async (fixture) => {
  const { api, guest, id } = await open(fixture);
  const browser = requestAs(api.app, withCookie(await newAccount(api), secretOf(await prepare(guest, id))));
  const replies = await Promise.all(Array.from({ length: 50 }, () => save(browser, id)));
  for (const { status, data } of replies) assert.deepEqual([status, data], [200, { forecast_id: id, saved: true }]);
});

forEachDatabase(
  'of 20 concurrent accounts with one cookie, one saves the forecast',
  { ...MIGRATED, only: 'postgres' },
  async (f) => {
    const { api, guest, id } = await open(f);
    const accounts: Credentials[] = [];
    for (let i = 0; i < 20; i++) accounts.push(await newAccount(api));
    const secret = secretOf(await prepare(guest, id));
    const replies = await Promise.all(
      accounts.map((account) => save(requestAs(api.app, withCookie(account, secret)), id)),
    );
    const answers = replies.map(({ status, code }) => `${status} ${code ?? ''}`).sort();
    assert.deepEqual(answers, ['200 ', ...Array(19).fill('403 OWNERSHIP_REQUIRED')]);
  },
);

async function open({ database, cleanup }: TestDatabase) {
  const api = await openApi(database, UNLIMITED);
  cleanup(() => api.app.close());
  const { guestId, credentials } = await newGuest(api);
  const id = await addForecastRow(database, { owner: guestId, status: 'completed' });
  return { api, database, guestId, guestCredentials: credentials, guest: requestAs(api.app, credentials), id };
}

async function newGuest({ identity }: TestApi): Promise<{ guestId: string; credentials: Credentials }> {
  const { guestId, secret } = await createGuest(identity);
  return { guestId, credentials: { cookie: `__Host-almanac_guest=${secret}` } };
}

async function newAccount({ identity }: TestApi): Promise<Credentials> {
  const { id } = await makeAccount(identity, { password: null });
  return withKey(identity, id);
}

function prepare(request: SendRequest, name: string): Promise<Reply<Prepared>> {
  return request('POST', `/v1/ensemble-forecasts/${name}/prepare-save`);
}

function save(request: SendRequest, name: string): Promise<Reply<Saved>> {
  return request('POST', `/v1/ensemble-forecasts/${name}/save`);
}

function secretOf({ cookies }: Reply<Prepared>): string {
  const [, secret] = /^__Host-almanac_save=([\w-]{43});/.exec(cookies[0] ?? '') ?? [];
  assert.ok(secret, 'the response sets the cookie');
  return secret;
}

/** Returns the credentials of the same caller in a browser that holds a proof. */
function withCookie({ cookie, ...others }: Credentials, secret: string): Credentials {
  const proof = `__Host-almanac_save=${secret}`;
  return { ...others, cookie: cookie === undefined ? proof : `${cookie}; ${proof}` };
}
