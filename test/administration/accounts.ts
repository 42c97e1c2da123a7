import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createFilter } from '../../src/screener/index.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { create, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { PASSWORD } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { FIXED_KEYS } from '../support/platform/fixed-keys.ts';
import { eventRequest } from '../support/scout/events.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';
import { makeAdministrator, makePerson, type Person, type ShownAccount, USERS } from './scene.ts';

let service: ForecastService;
let administrator: Person;

interface Page {
  readonly users: readonly ShownAccount[];
  readonly next_cursor: string | null;
}

interface Events {
  readonly events: readonly { kind: string; network: string | null; details: Record<string, string> }[];
}

const change = (caller: Person, { id }: { readonly id: string }, body: object) =>
  caller.bySession<ShownAccount>('PATCH', `${USERS}/${id}`, body);

async function eventsOf({ bySession }: Person, kind: string): Promise<Events['events']> {
  const { data } = await bySession<Events>('GET', '/v1/me/security-events?limit=200');
  return data.events.filter((event) => event.kind === kind);
}

/** Tests what administrators read and change of accounts. */
export function testAccounts(open: () => ForecastService): void {
  describe(`accounts for administrators [${testedKind}]`, () => {
    before(async () => {
      service = open();
      administrator = await makeAdministrator(service);
    });

    test('finds accounts by a part of the address, plan and state, in pages', async () => {
      const people: Person[] = [];
      for (const name of ['one', 'two_x', 'three'])
        people.push(await makePerson(service, { email: `${name}@found.example`, plan: 'enterprise' }));
      const list = async (query: string) => (await administrator.byKey<Page>('GET', `${USERS}?${query}`)).data;
      const first = await list('q=FOUND.example&limit=2');
      assert.deepEqual(
        first.users.map(({ email }) => email),
        ['three@found.example', 'two_x@found.example'],
      );
      const second = await list(`q=FOUND.example&limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
      assert.deepEqual([second.users.map(({ email }) => email), second.next_cursor], [['one@found.example'], null]);
      assert.match(second.users[0]?.last_sign_in_at ?? '', /^20/);
      assert.deepEqual(
        (await list('q=o_x%40found')).users.map(({ email }) => email),
        ['two_x@found.example'],
      );
      assert.equal((await list('q=found.example&plan=free')).users.length, 0);
      await change(administrator, people[0] as Person, { locked: true });
      for (const [state, found] of [
        ['locked', 1],
        ['active', 2],
        ['unverified', 0],
        ['administrator', 0],
      ] as const)
        assert.equal((await list(`q=found.example&state=${state}`)).users.length, found, state);
      const other = await administrator.byKey('GET', `${USERS}?plan=pro&cursor=${first.next_cursor}`);
      assert.equal(other.code, 'INVALID_REQUEST', 'a cursor belongs to its criteria');
    });

    test('refuses hostile input with the name of the field, and changes nothing', async () => {
      const target = await makePerson(service);
      for (const query of [
        'plan=gold',
        'state=asleep',
        'limit=0',
        'limit=101',
        'q=',
        'cursor=x.y',
        'who=me',
        'q=%00',
      ]) {
        const { status, body } = await administrator.byKey('GET', `${USERS}?${query}`);
        assert.deepEqual([status, body.includes(query.split('=')[0] ?? '')], [400, true], query);
      }
      for (const body of [
        {},
        { plan: 'gold' },
        { locked: 'yes' },
        { administrator: 1 },
        { email: 'x@y.z' },
        { plan: null },
      ]) {
        assert.equal((await change(administrator, target, body)).status, 400, JSON.stringify(body));
      }
      for (const id of ['usr_0', '%00', '..%2F..', 'a'.repeat(101), "'%20OR%201=1--"]) {
        const read = await administrator.byKey('GET', `${USERS}/${id}`);
        const written = await administrator.bySession('PATCH', `${USERS}/${id}`, { plan: 'free' });
        for (const { status } of [read, written]) assert.ok([400, 404].includes(status), `${id} ${status}`);
      }
      const { data } = await administrator.byKey<ShownAccount>('GET', `${USERS}/${target.id}`);
      assert.deepEqual([data.plan, data.locked, data.administrator], ['pro', false, false]);
    });

    test('a change applies from the next request on and is a security event of both accounts', async () => {
      const target = await makePerson(service, { plan: 'free' });
      assert.equal((await target.byKey('GET', '/v1/me/access')).code, 'PLAN_REQUIRED');
      const { data } = await change(administrator, target, { plan: 'pro', administrator: true });
      assert.deepEqual([data.plan, data.administrator, data.is_own], ['pro', true, false]);
      assert.equal((await target.byKey('GET', '/v1/me/access')).status, 200);
      assert.equal((await target.byKey('GET', USERS)).status, 200);
      // The same change again is not an event.
      await change(administrator, target, { plan: 'pro' });
      const [planned, ...others] = await eventsOf(target, 'plan_changed');
      assert.deepEqual(planned?.details, { from: 'free', to: 'pro', by: 'administrator' });
      assert.deepEqual([others.length, planned?.network], [0, null], 'the network of the administrator stays private');
      assert.deepEqual((await eventsOf(target, 'administrator_changed'))[0]?.details, {
        administrator: 'on',
        by: 'administrator',
      });
      const [own] = (await eventsOf(administrator, 'account_administered')).filter(
        ({ details }) => details.account_id === target.id,
      );
      assert.deepEqual(own?.details, { account_id: target.id, plan: 'pro', administrator: 'on' });
      assert.notEqual(own?.network, null);
    });

    test('an administrator can neither lock nor demote itself, and a key changes nothing', async () => {
      for (const body of [{ locked: true }, { administrator: false }]) {
        const { code, body: text } = await change(administrator, administrator, body);
        assert.deepEqual([code, text.includes(Object.keys(body)[0] ?? '')], ['CONFLICT', true]);
      }
      assert.equal((await change(administrator, administrator, { plan: 'enterprise' })).status, 200);
      const byKey = await administrator.byKey('PATCH', `${USERS}/${administrator.id}`, { plan: 'pro' });
      assert.equal(byKey.code, 'SESSION_REQUIRED');
      const unverified = await makePerson(service, { administrator: true, verified: false });
      assert.equal((await unverified.bySession('GET', USERS)).code, 'EMAIL_NOT_VERIFIED');
      assert.equal((await change(unverified, administrator, { plan: 'free' })).code, 'EMAIL_NOT_VERIFIED');
    });

    test('of two administrators that demote or lock each other at the same time, one remains', async () => {
      for (const body of [{ administrator: false }, { locked: true }]) {
        const [one, other] = [await makeAdministrator(service), await makeAdministrator(service)];
        const answers = await Promise.all([change(one, other, body), change(other, one, body)]);
        const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
        assert.equal(statuses[0], 200, JSON.stringify(statuses));
        // The second request was refused when it was admitted, or when it was carried out.
        assert.ok([401, 403].includes(statuses[1] ?? 0), JSON.stringify(statuses));
      }
    });

    test('the only administrator cannot erase its account, and of two at the same time one remains', async () => {
      await using alone = await openForecastService(testedKind);
      const [one, other] = [await makeAdministrator(alone), await makeAdministrator(alone)];
      // Neither of these could administer.
      await makePerson(alone, { administrator: true, verified: false });
      const locked = await makeAdministrator(alone);
      assert.equal((await change(one, locked, { locked: true })).status, 200);
      const erase = ({ bySession }: Person) => bySession('DELETE', '/v1/me', { current_password: PASSWORD });
      const answers = await Promise.all([erase(one), erase(other)]);
      const isFirst = answers[0]?.status === 200;
      assert.deepEqual(
        answers.map(({ status }) => status),
        isFirst ? [200, 409] : [409, 200],
      );
      const last = isFirst ? other : one;
      const refused = await erase(last);
      assert.match(refused.body, /only administrator of this service\. Make another account an administrator first/);
      const { data } = await last.bySession<{ blocked_by: { kind: string }[] }>('GET', '/v1/me/erasure');
      assert.deepEqual(
        data.blocked_by.map(({ kind }) => kind),
        ['administration'],
      );
      const page = await alone.app.inject({ url: '/auth/account/erase', headers: { cookie: last.cookie } });
      assert.match(page.body, /You are the only administrator of this service/);
      assert.ok(!page.body.includes('name="password"'));
      const next = await makePerson(alone, { verified: true });
      assert.equal((await change(last, next, { administrator: true })).status, 200);
      assert.equal((await erase(last)).status, 200);
    });

    test('no response contains a title, name or content of what an account has', async () => {
      const target = await makePerson(service, { plan: 'enterprise' });
      const secret = 'zugvogel';
      const account = { request: target.bySession };
      const workspace = await makeWorkspace(service.database, target.id, `${secret} space`);
      await create(account, { title: `${secret} forecast` });
      await target.bySession(
        'POST',
        `/v1/workspaces/${workspace.id}/csv?name=${secret}.csv`,
        `time,${secret}\n2024-01-01,1\n`,
      );
      await target.bySession('POST', '/v1/me/api-keys', { name: `${secret} key` });
      await target.bySession('POST', '/v1/forecasts', eventRequest({ question: `Will the ${secret} come?` }));
      const filters = { ...service.identity, cursorKey: FIXED_KEYS };
      await createFilter(filters, target.id, {
        name: `${secret} filter`,
        universe: 'all',
        all: [{ field: 'rsi_14', op: 'lt', value: 30 }],
        email: false,
      });
      await makeFeed(service.identity, target.id);
      const details = await administrator.byKey<ShownAccount>('GET', `${USERS}/${target.id}`);
      const { workspaces, forecasts, events, filters: filterCount, feeds, api_keys, sessions } = details.data.counts;
      assert.deepEqual(
        [workspaces, forecasts, events, filterCount, feeds, api_keys, sessions],
        // The account has a personal workspace, and the key and session of the test.
        [2, 1, 1, 1, 1, 2, 1],
      );
      const cookie = { headers: { cookie: administrator.cookie } };
      const pages = [
        '/admin',
        '/admin/users',
        `/admin/users/${target.id}`,
        `/admin/users/${target.id}/lock`,
        '/admin/ledger?check=now',
      ];
      const bodies = [
        details.body,
        (await change(administrator, target, { locked: true })).body,
        ...(await Promise.all(
          [USERS, '/v1/admin/service', '/v1/admin/ledger'].map(
            async (path) => (await administrator.byKey('GET', path)).body,
          ),
        )),
        ...(await Promise.all(pages.map(async (url) => (await service.app.inject({ url, ...cookie })).body))),
      ];
      for (const body of bodies) assert.ok(!body.toLowerCase().includes(secret), body.slice(0, 400));
      assert.ok(bodies.every((body) => body.length > 100));
    });

    test('reports the service and the ledger', async () => {
      const state = await administrator.byKey<{
        queues: { name: string }[];
        providers: { id: string; configured: boolean }[];
        accounts: { administrators: number };
        database: { bytes: number; kind: string };
      }>('GET', '/v1/admin/service');
      assert.ok(state.data.queues.some(({ name }) => name === 'forecasts'));
      assert.ok(state.data.providers.some(({ id, configured }) => id === 'bundled' && configured));
      assert.ok(state.data.providers.some(({ id, configured }) => id === 'fred' && !configured));
      assert.ok(state.data.accounts.administrators > 0 && state.data.database.bytes > 100_000);
      assert.equal(state.data.database.kind, testedKind);
      const ledger = await administrator.byKey<{ sound: boolean; entries: number }>('GET', '/v1/admin/ledger');
      assert.deepEqual([ledger.data.sound, ledger.data.entries > 0], [true, true]);
    });
  });
}
