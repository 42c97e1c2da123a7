import assert from 'node:assert/strict';
import type { z } from 'zod';
import { openApi, SITE_URL } from '../../../test/support/api/api.ts';
import { type Reply, requestAs } from '../../../test/support/api/request-as.ts';
import { makeAccount, PASSWORD, withKey, withSession } from '../../../test/support/identity/callers.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { readComparableRows } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS, QUEUES } from '../../compose/index.ts';
import type { BrowserSession } from '../../contract/sessions.ts';
import { signIn } from '../../identity/index.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import { openQueue } from '../../platform/index.ts';

const options = { migrations: MIGRATIONS };
const NEXT = 'another horse battery';

async function open(fixture: TestDatabase) {
  const api = await openApi(fixture.database);
  fixture.cleanup(() => api.app.close());
  return api;
}

type Sessions = { sessions: z.output<typeof BrowserSession>[] };

forEachDatabase('a signed-in account changes its password with the current one', options, async (fixture) => {
  const { app, identity } = await open(fixture);
  const { id, email } = await makeAccount(identity, { plan: 'free' });
  const [here, there] = [await withSession(identity, email), await withSession(identity, email)];
  const change = (credentials: Parameters<typeof requestAs>[1], body: object) =>
    requestAs(app, credentials)('POST', '/v1/me/password', body);
  const good = { current_password: PASSWORD, new_password: NEXT };

  const wrong = await change(here, { ...good, current_password: 'a wrong guess' });
  assert.match(messageOf(wrong), /^current_password: /);
  const [event] = (await requestAs(app, here)<Events>('GET', '/v1/me/security-events')).data.events;
  assert.equal(event?.kind, 'password_change_failed');

  const rows = await readComparableRows(fixture.database);
  const foreign = { ...here, origin: 'https://evil.example' };
  assert.equal((await change(foreign, good)).code, 'ORIGIN_DENIED');
  assert.equal((await change({ ...here, 'sec-fetch-site': 'cross-site' }, good)).code, 'ORIGIN_DENIED');
  for (const [body, field] of [
    [{ ...good, new_password: 'short' }, 'new_password'],
    [{ ...good, new_password: PASSWORD }, 'new_password'],
    [{ current_password: PASSWORD }, 'new_password'],
  ] as const) {
    const refused = await change(here, body);
    assert.equal(refused.code, 'INVALID_REQUEST');
    assert.match(messageOf(refused), new RegExp(`^${field}: `));
  }
  assert.deepEqual(await readComparableRows(fixture.database), rows, 'refused requests change nothing');

  const changed = await change({ ...here, origin: SITE_URL }, good);
  assert.deepEqual([changed.status, changed.data, changed.cookies], [200, { changed: true }, []]);
  assert.equal((await requestAs(app, here)('GET', '/v1/me/access')).status, 200);
  assert.equal((await requestAs(app, there)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  assert.ok(await signIn(identity, { email, password: NEXT, userAgent: null }));
  const key = await withKey(identity, id);
  assert.equal((await change(key, good)).code, 'SESSION_REQUIRED', 'a key with any scopes is refused');
});

forEachDatabase('limits attempts at the current password', { ...options, only: 'pglite' }, async (fixture) => {
  const { app, identity } = await open(fixture);
  const { email } = await makeAccount(identity);
  const request = requestAs(app, await withSession(identity, email));
  const codes: unknown[] = [];
  for (let i = 0; i < 11; i++) {
    const body = { current_password: `guess ${i}`, new_password: NEXT };
    codes.push((await request('POST', '/v1/me/password', body)).code);
  }
  assert.deepEqual(codes, [...Array(10).fill('INVALID_REQUEST'), 'RATE_LIMITED']);
});

forEachDatabase('a browser can end any session, including its own', options, async (fixture) => {
  const { app, identity } = await open(fixture);
  const { email } = await makeAccount(identity, { plan: 'free' });
  const stranger = await makeAccount(identity);
  const [here, there] = [await withSession(identity, email), await withSession(identity, email)];
  const theirs = await withSession(identity, stranger.email);
  const list = async (credentials: Parameters<typeof requestAs>[1]) =>
    (await requestAs(app, credentials)<Sessions>('GET', '/v1/me/sessions')).data.sessions;
  const currentOf = async (credentials: Parameters<typeof requestAs>[1]) =>
    (await list(credentials)).find(({ current }) => current)?.id;
  const [hereId, thereId, theirsId] = [await currentOf(here), await currentOf(there), await currentOf(theirs)];
  for (const { created_at, last_used_at } of await list(here)) assert.equal(last_used_at, created_at);

  const end = (id: unknown) => requestAs(app, here)('DELETE', `/v1/me/sessions/${id}`);
  assert.equal((await end(theirsId)).code, 'NOT_FOUND');
  const ended = await end(thereId);
  assert.deepEqual([ended.status, ended.data, ended.cookies], [200, { id: thereId, ended: true }, []]);
  assert.equal((await end(thereId)).code, 'NOT_FOUND');
  assert.equal((await requestAs(app, there)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  const own = await end(hereId);
  assert.equal(own.status, 200);
  assert.match(own.cookies[0] ?? '', /^__Host-almanac_session=; .*Expires=Thu, 01 Jan 1970/);
  assert.equal((await requestAs(app, here)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  assert.equal((await requestAs(app, theirs)('GET', '/v1/me/access')).status, 200);
});

forEachDatabase('sends the verification email again', { ...options, queue: true }, async (fixture) => {
  const queue = await openQueue(fixture.database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop());
  const { app, identity } = await openApi(fixture.database, {}, undefined, queue);
  fixture.cleanup(() => app.close());
  const unverified = await makeAccount(identity, { plan: 'free', verified: false });
  const verified = await makeAccount(identity);
  const links = () =>
    fixture.database
      .query<IdentityTables>()
      .selectFrom('account_link')
      .select(['kind', 'account_id', 'email'])
      .execute();
  const request = requestAs(app, await withSession(identity, unverified.email));
  const first = await request('POST', '/v1/me/verification');
  assert.deepEqual([first.status, first.data], [202, { requested: true }]);
  const link = { kind: 'verify_email', account_id: unverified.id, email: unverified.email };
  assert.deepEqual(await links(), [link]);
  const again = await requestAs(app, await withSession(identity, verified.email))('POST', '/v1/me/verification');
  assert.deepEqual([again.status, again.code], [409, 'CONFLICT']);
  const codes = [];
  for (let i = 0; i < 5; i++) codes.push((await request('POST', '/v1/me/verification')).code);
  assert.deepEqual(codes.at(-1), 'RATE_LIMITED');
  assert.equal((await links()).length, 5);
});

interface Events {
  readonly events: { id: string; kind: string; network: string | null; user_agent: string | null; details: object }[];
  readonly next_cursor: string | null;
}

forEachDatabase('lists the security events of the account with their origin', options, async (fixture) => {
  const { app, identity } = await open(fixture);
  const { id, email } = await makeAccount(identity, { plan: 'free' });
  const from = (headers: Record<string, string>) =>
    requestAs(app, { 'user-agent': 'a browser', ...headers }, '2001:db8:1:2::9');
  await from({})('POST', '/v1/sessions', { email, password: 'a wrong guess' });
  const signedIn = await from({})('POST', '/v1/sessions', { email, password: PASSWORD });
  const cookie = signedIn.cookies[0]?.split(';', 1)[0] ?? '';
  const { data: key } = await from({ cookie })<{ id: string }>('POST', '/v1/me/api-keys', { name: 'mine' });
  await from({ cookie })('DELETE', `/v1/me/api-keys/${key.id}`);

  const read = (query = '') => from({ cookie })<Events>('GET', `/v1/me/security-events${query}`);
  const { data } = await read();
  assert.deepEqual(
    data.events.map(({ kind }) => kind),
    ['key_revoked', 'key_created', 'signed_in', 'sign_in_failed', 'account_created'],
  );
  for (const { network, user_agent } of data.events.slice(0, -1))
    assert.deepEqual([network, user_agent], ['2001:db8:1::/48', 'a browser']);
  assert.equal(data.next_cursor, null);

  const first = (await read('?limit=3')).data;
  assert.deepEqual(first.events, data.events.slice(0, 3));
  const rest = (await read(`?limit=3&cursor=${first.next_cursor}`)).data;
  assert.deepEqual(rest, { events: data.events.slice(3), next_cursor: null });
  for (const query of ['?limit=0', '?limit=201', '?cursor=x', '?cursor=', '?before=x'])
    assert.equal((await read(query)).code, 'INVALID_REQUEST', query);

  const stranger = await makeAccount(identity);
  const theirs = await requestAs(app, await withKey(identity, stranger.id))<Events>('GET', '/v1/me/security-events');
  assert.ok(!theirs.body.includes(id) && theirs.data.events.length === 2, 'another account’s events are not returned');
});

function messageOf(reply: Reply<unknown>): string {
  return JSON.parse(reply.body).error.message;
}
