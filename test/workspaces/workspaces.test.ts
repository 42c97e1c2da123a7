import assert from 'node:assert/strict';
import { MAX_OWNED_WORKSPACES, type MembershipView } from '../../src/workspaces/index.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  personalWorkspace,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

forEachService('creates a workspace, reads it by id and slug, lists and renames it', async (service, owner) => {
  const created = await owner.request<MembershipView>('POST', WORKSPACES, { name: '  Café Zürich: FX & rates \u00a0' });
  assert.equal(created.status, 201, created.body);
  const { id, slug, created_at } = created.data;
  assert.match(id, /^ws_[0-9A-Z]{26}$/);
  assert.match(slug, /^cafe-zurich-fx-rates-[0-9a-f]{8}$/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(created.data, {
    id,
    slug,
    name: 'Café Zürich: FX & rates',
    owner_user_id: owner.id,
    role: 'owner',
    permissions: [
      'workspace.read',
      'workspace.update',
      'members.read',
      'members.manage',
      'csv.list',
      'csv.read',
      'csv.download',
      'csv.write',
      'forecast.list',
      'forecast.read',
      'forecast.create',
      'forecast.update',
      'forecast.cancel',
    ],
    resource_scope: { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } },
    capabilities: [
      'csv.list',
      'csv.read',
      'csv.download',
      'csv.write',
      'forecast.list',
      'forecast.read',
      'forecast.create',
      'forecast.update',
      'forecast.cancel',
    ],
    legacy_personal: false,
    member_credits: null,
    members: 1,
    stored_bytes: 0,
    created_at,
    updated_at: created_at,
  });
  for (const idOrSlug of [id, slug]) {
    assert.deepEqual((await owner.request('GET', `${WORKSPACES}/${idOrSlug}`)).data, created.data);
  }
  const renamed = await owner.request<MembershipView>('PATCH', `${WORKSPACES}/${slug}`, { name: 'Rates' });
  assert.ok(renamed.data.updated_at > created_at);
  assert.deepEqual(renamed.data, { ...created.data, name: 'Rates', updated_at: renamed.data.updated_at });

  const { data } = await owner.request<{ workspaces: MembershipView[] }>('GET', WORKSPACES);
  const personal = await personalWorkspace(service.database, owner.id);
  assert.deepEqual(
    data.workspaces.map((workspace) => workspace.id),
    [personal.id, id],
    'oldest first',
  );
  assert.deepEqual(data.workspaces[1], renamed.data);
  const access = await owner.request<{ workspaces: MembershipView[] }>('GET', '/v1/me/access');
  assert.deepEqual(access.data.workspaces, data.workspaces);
});

forEachService('refuses an invalid name and creates nothing', async (service, owner) => {
  const refused: [unknown, RegExp][] = [
    [undefined, /^name: /],
    ['', /^name: /],
    [' \t\n ', /^name: /],
    ['x'.repeat(81), /^name: .*80/],
    ['two\nlines', /^name: must be one line without control characters/],
    ['bell\u0007', /^name: must be one line without control characters/],
    ['line\u2028end', /^name: must be one line without control characters/],
    ['nul\u0000', /^name: /],
    ['\ud800', /^name: must not contain lone surrogate/],
    [7, /^name: /],
  ];
  for (const [name, message] of refused) {
    for (const [method, path] of [
      ['POST', WORKSPACES],
      ['PATCH', `${WORKSPACES}/${(await personalWorkspace(service.database, owner.id)).id}`],
    ] as const) {
      const { status, code, body } = await owner.request(method, path, { name } as object);
      assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], `${JSON.stringify(name)}: ${body}`);
      // PATCH can change other fields instead.
      const isOmitted = method === 'PATCH' && name === undefined;
      assert.match(JSON.parse(body).error.message, isOmitted ? /must contain a name or member_credits/ : message);
    }
  }
  const { data } = await owner.request<{ workspaces: MembershipView[] }>('GET', WORKSPACES);
  assert.deepEqual(
    data.workspaces.map(({ name }) => name),
    ['Personal'],
  );
  assert.equal((await owner.request('POST', WORKSPACES, { name: 'x'.repeat(80) })).status, 201);
  const japanese = await owner.request<MembershipView>('POST', WORKSPACES, { name: '研究' });
  assert.match(japanese.data.slug, /^workspace-[0-9a-f]{8}$/);
});

forEachService('creates two workspaces with the same name and different slugs', async (service, owner) => {
  const other = await register(service);
  const [one, two] = await Promise.all([
    owner.request<MembershipView>('POST', WORKSPACES, { name: 'Acme' }),
    other.request<MembershipView>('POST', WORKSPACES, { name: 'Acme' }),
  ]);
  assert.match(one.data.slug, /^acme-[0-9a-f]{8}$/);
  assert.match(two.data.slug, /^acme-[0-9a-f]{8}$/);
  assert.notEqual(one.data.slug, two.data.slug);
});

forEachService('limits an account to twenty workspaces under concurrent requests', async (service, owner) => {
  // The personal workspace counts as the first.
  for (let count = 1; count < MAX_OWNED_WORKSPACES - 3; count++) await makeWorkspace(service.database, owner.id);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => owner.request('POST', WORKSPACES, { name: `W${i}` })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  const refusals = answers.filter(({ status }) => status !== 201);
  assert.deepEqual([...new Set(refusals.map(({ status, code }) => `${status} ${code}`))], ['409 LIMIT_REACHED']);
  const { data } = await owner.request<{ workspaces: unknown[] }>('GET', WORKSPACES);
  assert.equal(data.workspaces.length, MAX_OWNED_WORKSPACES);
});

forEachService('neither deletes nor transfers a personal workspace', async (service, owner) => {
  const { id } = await personalWorkspace(service.database, owner.id);
  const member = await register(service);
  const collaborator_id = await makeMember(service.database, id, member.id, { role: 'editor' });
  for (const [method, path, body] of [
    ['DELETE', `${WORKSPACES}/${id}`, undefined],
    ['POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id }],
  ] as const) {
    const { status, code, body: reply } = await owner.request(method, path, body);
    assert.deepEqual([status, code], [409, 'CONFLICT'], reply);
    assert.match(reply, /personal workspace/);
  }
  assert.equal((await owner.request<MembershipView>('GET', `${WORKSPACES}/${id}`)).data.owner_user_id, owner.id);
});
