import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { z } from 'zod';
import { SCOPES, type Webhook, type WebhookDelivery, type WebhookWithSecret } from '../../src/contract/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { makeDelivery } from '../support/notifications/make-webhook.ts';
import { LOOPBACK } from '../support/notifications/webhook-scene.ts';
import { testedKind } from '../support/platform/database.ts';
import { type KeyHolder, makeMember, makeWorkspace, register } from '../support/workspaces/workspaces.ts';

type Shown = z.output<typeof Webhook>;
type WithSecret = z.output<typeof WebhookWithSecret>;
type Delivery = z.output<typeof WebhookDelivery>;

const HOOKS = '/v1/me/webhooks';
const URL = 'https://receiver.example/hook';
const TYPES = ['forecast.completed', 'forecast.failed'];

let service: ForecastService;

describe(`webhooks [${testedKind}]`, () => {
  before(async () => {
    service = await openForecastService(testedKind, { environment: { ALMANAC_OUTBOUND_ALLOW: LOOPBACK.join(',') } });
  });
  after(() => service?.[Symbol.asyncDispose]());

  const make = async (caller: KeyHolder, fields: object = {}, path = HOOKS) => {
    const reply = await caller.request<WithSecret>('POST', path, { url: URL, types: TYPES, ...fields });
    assert.equal(reply.status, 201, reply.body);
    return reply.data;
  };

  test('creates, lists, changes and deletes', async () => {
    const caller = await register(service);
    const { secret, ...created } = await make(caller, { name: 'Desk' });
    assert.match(created.id, /^whk_/);
    assert.match(secret, /^whsec_/);
    assert.deepEqual([created.url, created.name, created.types, created.enabled], [URL, 'Desk', TYPES, true]);
    const list = async () => (await caller.request<{ webhooks: Shown[] }>('GET', HOOKS)).data.webhooks;
    assert.deepEqual(await list(), [created], 'the secret is not shown again');
    assert.ok(!(await caller.request('GET', `${HOOKS}/${created.id}`)).body.includes('whsec_'));

    const patched = await caller.request<Shown>('PATCH', `${HOOKS}/${created.id}`, {
      name: null,
      types: ['receipt.stamped'],
    });
    assert.deepEqual([patched.data.name, patched.data.types, patched.data.url], [null, ['receipt.stamped'], URL]);
    const off = await caller.request<Shown>('PATCH', `${HOOKS}/${created.id}`, { enabled: false });
    assert.deepEqual([off.data.enabled, off.data.off_reason], [false, 'requested']);
    const on = await caller.request<Shown>('PATCH', `${HOOKS}/${created.id}`, { enabled: true });
    assert.deepEqual([on.data.enabled, on.data.off_reason], [true, null]);
    const rotated = await caller.request<WithSecret>('POST', `${HOOKS}/${created.id}/rotate`);
    assert.notEqual(rotated.data.secret, secret);

    assert.deepEqual((await caller.request('DELETE', `${HOOKS}/${created.id}`)).data, {
      id: created.id,
      removed: true,
    });
    assert.equal((await caller.request('DELETE', `${HOOKS}/${created.id}`)).code, 'NOT_FOUND');
    assert.deepEqual(await list(), []);
    const { data } = await caller.request<{ events: { kind: string; details: object }[] }>(
      'GET',
      '/v1/me/security-events',
    );
    const kinds = data.events.filter(({ kind }) => kind.startsWith('webhook_')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['webhook_deleted', 'webhook_rotated', 'webhook_created']);
  });

  for (const [name, fields, words] of [
    ['a path', { url: '/hook' }, /^url: Write it as https:/],
    ['http', { url: 'http://8.8.8.8/' }, /^url: Use https/],
    ['a line break', { url: 'https://receiver.example/a\r\nX: y' }, /^url: Remove spaces, line breaks/],
    ['spaces around it', { url: ' https://receiver.example/ ' }, /^url: Remove spaces/],
    ['backslashes', { url: 'https:\\\\receiver.example\\hook' }, /^url: Remove spaces, line breaks and backslashes/],
    ['the port 0', { url: 'https://receiver.example:0/' }, /^url: The port/],
    ['the port 65536', { url: 'https://receiver.example:65536/' }, /^url: Write it as/],
    ['a private address', { url: 'https://10.0.0.7/' }, /^url: The address is not on the public internet/],
    ['the metadata service', { url: 'https://169.254.169.254/latest' }, /^url: The address is not on the public/],
    ['IPv6 loopback', { url: 'https://[::1]/' }, /^url: The address is not on the public internet/],
    ['an embedded address', { url: 'https://[::ffff:10.0.0.1]/' }, /^url: The address is not on the public/],
    ['credentials', { url: 'https://a:b@receiver.example/' }, /^url: .*password/],
    ['a fragment', { url: 'https://receiver.example/#x' }, /^url: A fragment/],
    ['another scheme', { url: 'file:///etc/passwd' }, /^url:/],
    ['a URL of 2,001 characters', { url: `https://receiver.example/${'x'.repeat(2_001 - 25)}` }, /^url/],
    ['NUL', { url: 'https://receiver.example/\u0000' }, /^url/],
    ['no type', { types: [] }, /^types/],
    ['an unknown type', { types: ['forecast.deleted'] }, /^types/],
    ['a type twice', { types: ['forecast.failed', 'forecast.failed'] }, /^types.*twice/],
    ['an unknown field', { secret: 'whsec_x' }, /secret/],
  ] as const) {
    test(`refuses ${name}, and changes nothing`, async () => {
      const caller = await register(service);
      const refused = await caller.request('POST', HOOKS, { url: URL, types: TYPES, ...fields });
      assert.deepEqual([refused.status, refused.code], [400, 'INVALID_REQUEST'], refused.body);
      assert.match(JSON.parse(refused.body).error.message, words);
      const { id } = await make(caller);
      const before = await caller.request('GET', `${HOOKS}/${id}`);
      assert.equal((await caller.request('PATCH', `${HOOKS}/${id}`, fields)).status, 400);
      assert.equal((await caller.request('PATCH', `${HOOKS}/${id}`, {})).status, 400);
      assert.equal((await caller.request('GET', `${HOOKS}/${id}`)).body, before.body);
    });
  }

  test('allows ten, also to concurrent requests', async () => {
    const caller = await register(service);
    const replies = await Promise.all(
      Array.from({ length: 15 }, () => caller.request('POST', HOOKS, { url: URL, types: TYPES })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(10).fill(201), ...Array(5).fill(409)]);
    assert.ok(replies.filter(({ status }) => status === 409).every(({ code }) => code === 'LIMIT_REACHED'));
  });

  test('a credential chooses only types whose objects it may read', async () => {
    const { id } = await makeAccount(service.identity, { password: null });
    const key = requestAs(service.app, await withKey(service.identity, id, ['webhooks:write', 'forecasts:read']));
    assert.equal((await key('POST', HOOKS, { url: URL, types: TYPES })).status, 201);
    const refused = await key('POST', HOOKS, { url: URL, types: ['event.resolved'] });
    assert.deepEqual([refused.status, refused.code], [403, 'SCOPE_DENIED']);
    assert.match(refused.body, /events:read/);
    // What decides where events go needs the same scopes as the choice of their types.
    const owner = requestAs(service.app, await withKey(service.identity, id));
    const { data: full } = await owner<WithSecret>('POST', HOOKS, { url: URL, types: [...TYPES, 'event.resolved'] });
    const path = `${HOOKS}/${full.id}`;
    for (const change of [{ url: `${URL}/2` }, { enabled: true }, { types: ['event.resolved'] }])
      assert.equal((await key('PATCH', path, change)).code, 'SCOPE_DENIED', Object.keys(change)[0]);
    assert.equal((await key('POST', `${path}/rotate`)).code, 'SCOPE_DENIED');
    const kept = (await owner<Shown>('GET', path)).data;
    assert.deepEqual([kept.url, kept.secret_rotated_at], [URL, null]);
    for (const change of [{ name: 'Desk' }, { enabled: false }, { url: `${URL}/2`, types: TYPES }, { enabled: true }])
      assert.equal((await key('PATCH', path, change)).status, 200, Object.keys(change)[0]);
    assert.equal((await key('POST', `${path}/rotate`)).status, 200);
    const blind = requestAs(
      service.app,
      await withKey(
        service.identity,
        id,
        SCOPES.filter((scope) => !scope.startsWith('webhooks')),
      ),
    );
    for (const method of ['GET', 'POST'] as const) assert.equal((await blind(method, HOOKS)).code, 'SCOPE_DENIED');
  });

  test('needs a plan with API access', async () => {
    const { request } = await service.account('free');
    const refused = await request('POST', HOOKS, { url: URL, types: TYPES });
    assert.deepEqual([refused.status, refused.code], [403, 'PLAN_REQUIRED']);
    assert.equal((await request('GET', HOOKS)).status, 200);
  });

  test('answers the same for a webhook of another account and one that does not exist', async () => {
    const [owner, other] = [await register(service), await register(service)];
    const { id } = await make(owner);
    const { data: test } = await owner.request<Delivery>('POST', `${HOOKS}/${id}/test`);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${test.id}/replay`],
    ] as const) {
      const foreign = await other.request(method, `${HOOKS}/${id}${path}`, body);
      const missing = await other.request(method, `${HOOKS}/whk_0${path}`, body);
      assert.deepEqual([foreign.status, foreign.body], [404, missing.body], `${method} ${path}`);
    }
    assert.equal((await owner.request('GET', `${HOOKS}/${id}`)).status, 200);
  });

  test('a webhook of a workspace is for its owner only', async () => {
    const [owner, editor, stranger] = [await register(service), await register(service), await register(service)];
    const { id, slug } = await makeWorkspace(service.database, owner.id);
    await makeMember(service.database, id, editor.id, { role: 'editor' });
    const path = `/v1/workspaces/${slug}/webhooks`;
    const { secret, ...created } = await make(owner, {}, path);
    assert.equal(created.workspace_id, id);
    const lists = await owner.request<{ webhooks: Shown[] }>('GET', path);
    assert.deepEqual(lists.data.webhooks, [created]);
    assert.deepEqual((await owner.request<{ webhooks: Shown[] }>('GET', HOOKS)).data.webhooks, []);
    assert.equal((await owner.request('GET', `${HOOKS}/${created.id}`)).code, 'NOT_FOUND');
    for (const caller of [editor, stranger]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', `/${created.id}`],
        ['DELETE', `/${created.id}`],
        ['POST', `/${created.id}/test`],
      ] as const) {
        const denied = await caller.request(method, `${path}${rest}`);
        assert.deepEqual([denied.status, denied.code], [403, 'WORKSPACE_DENIED']);
      }
    }
    const refused = await owner.request('POST', path, { url: URL, types: ['screener.matched'] });
    assert.equal(refused.status, 400);
    assert.match(refused.body, /filters, which belong to accounts/);
    assert.equal((await owner.request('DELETE', `/v1/workspaces/${id}`)).status, 200);
    assert.equal((await owner.request('GET', `${path}/${created.id}`)).code, 'WORKSPACE_DENIED');
  });

  test('pages deliveries, and replays only those that have ended', async () => {
    const caller = await register(service);
    const { id } = await make(caller);
    const path = `${HOOKS}/${id}/deliveries`;
    for (let i = 0; i < 3; i++) assert.equal((await caller.request('POST', `${HOOKS}/${id}/test`)).status, 202);
    type Page = { deliveries: Delivery[]; next_cursor: string | null };
    const first = (await caller.request<Page>('GET', `${path}?limit=2`)).data;
    assert.equal(first.deliveries.length, 2);
    const second = (await caller.request<Page>('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).data;
    assert.deepEqual([second.deliveries.length, second.next_cursor], [1, null]);
    const sequences = [...first.deliveries, ...second.deliveries].map(({ payload }) => payload.sequence);
    assert.deepEqual(sequences, [3, 2, 1]);
    assert.deepEqual(first.deliveries[0]?.payload.data, { webhook_id: id });
    const replay = (delivery: string) => caller.request('POST', `${path}/${delivery}/replay`);
    assert.equal((await replay(first.deliveries[0]?.id ?? '')).code, 'CONFLICT');
    assert.equal((await replay('dlv_0')).code, 'NOT_FOUND');
    assert.equal((await caller.request('GET', `${path}?cursor=x`)).status, 400);
    assert.equal((await caller.request('GET', `${path}?limit=101`)).status, 400);
    const other = await make(caller);
    const foreign = await caller.request('POST', `${HOOKS}/${other.id}/deliveries/${first.deliveries[0]?.id}/replay`);
    assert.equal(foreign.code, 'NOT_FOUND', 'a delivery of another webhook of the account');
  });

  test('allows five waiting tests and a hundred waiting replays of one webhook', async () => {
    const caller = await register(service);
    const { id } = await make(caller);
    const delivery = await makeDelivery(service.database, id);
    await sql`UPDATE webhook_delivery SET type = 'forecast.completed' WHERE id = ${delivery}`.execute(
      service.database.query(),
    );
    for (const [path, limit] of [
      ['test', 5],
      [`deliveries/${delivery}/replay`, 100],
    ] as const) {
      const send = () => caller.request('POST', `${HOOKS}/${id}/${path}`);
      for (let i = 0; i < limit; i++) assert.equal((await send()).status, 202);
      const refused = await send();
      assert.deepEqual([refused.status, refused.code], [409, 'LIMIT_REACHED']);
      assert.match(refused.body, new RegExp(`${limit} (tests|replays) of this webhook are waiting`));
    }
  });

  test('requests to the webhooks of an account take two lanes, however many there are', async () => {
    const [first, second] = [await register(service), await register(service)];
    const workspace = await makeWorkspace(service.database, first.id);
    const hooks = [
      ...(await Promise.all(Array.from({ length: 8 }, () => make(first)))).map(({ id }) => `${HOOKS}/${id}`),
      ...(
        await Promise.all(Array.from({ length: 8 }, () => make(first, {}, `/v1/workspaces/${workspace.id}/webhooks`)))
      ).map(({ id }) => `/v1/workspaces/${workspace.id}/webhooks/${id}`),
    ];
    const lanesOf = async (caller: KeyHolder, paths: readonly string[]) => {
      const sent = new Set<string>();
      for (const path of paths) sent.add((await caller.request<Delivery>('POST', `${path}/test`)).data.id);
      const { rows } = await sql<{ group_id: string; group_tier: string; data: { deliveryId: string } }>`
        SELECT group_id, group_tier, data FROM queue.job WHERE name = 'webhooks'`.execute(service.database.query());
      const mine = rows.filter(({ data }) => sent.has(data.deliveryId));
      assert.equal(mine.length, paths.length);
      assert.ok(mine.every(({ group_tier }) => group_tier === 'one_at_a_time'));
      return new Set(mine.map(({ group_id }) => group_id));
    };
    const lanes = await lanesOf(first, hooks);
    assert.equal(lanes.size, 2);
    const [other = ''] = await lanesOf(second, [`${HOOKS}/${(await make(second)).id}`]);
    assert.ok(!lanes.has(other), 'another account has lanes of its own');
  });
});
