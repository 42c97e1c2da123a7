import assert from 'node:assert/strict';
import { MAX_OWNED, type MembershipView } from '../../src/workspaces/index.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  personalWorkspace,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

forEachService('a workspace is made, read by id and slug, listed and renamed', async (service, owner) => {
  const made = await owner.ask<MembershipView>('POST', WORKSPACES, { name: '  Café Zürich: FX & rates \u00a0' });
  assert.equal(made.status, 201, made.body);
  const { id, slug, created_at } = made.data;
  assert.match(id, /^ws_[0-9A-Z]{26}$/);
  assert.match(slug, /^cafe-zurich-fx-rates-[0-9a-f]{8}$/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(made.data, {
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
      'forecast.cancel',
    ],
    legacy_personal: false,
    created_at,
    updated_at: created_at,
  });
  for (const named of [id, slug]) {
    assert.deepEqual((await owner.ask('GET', `${WORKSPACES}/${named}`)).data, made.data);
  }
  const renamed = await owner.ask<MembershipView>('PATCH', `${WORKSPACES}/${slug}`, { name: 'Rates' });
  assert.ok(renamed.data.updated_at > created_at);
  assert.deepEqual(renamed.data, { ...made.data, name: 'Rates', updated_at: renamed.data.updated_at });

  const { data } = await owner.ask<{ workspaces: MembershipView[] }>('GET', WORKSPACES);
  const personal = await personalWorkspace(service.database, owner.id);
  assert.deepEqual(
    data.workspaces.map((workspace) => workspace.id),
    [personal.id, id],
    'oldest first',
  );
  assert.deepEqual(data.workspaces[1], renamed.data);
  const access = await owner.ask<{ workspaces: MembershipView[] }>('GET', '/v1/me/access');
  assert.deepEqual(access.data.workspaces, data.workspaces);
});

forEachService('a name that is none is refused, and nothing is made', async (service, owner) => {
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
  for (const [name, words] of refused) {
    for (const [method, path] of [
      ['POST', WORKSPACES],
      ['PATCH', `${WORKSPACES}/${(await personalWorkspace(service.database, owner.id)).id}`],
    ] as const) {
      const { status, code, body } = await owner.ask(method, path, { name } as object);
      assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], `${JSON.stringify(name)}: ${body}`);
      assert.match(JSON.parse(body).error.message, words);
    }
  }
  const { data } = await owner.ask<{ workspaces: MembershipView[] }>('GET', WORKSPACES);
  assert.deepEqual(
    data.workspaces.map(({ name }) => name),
    ['Personal'],
  );
  assert.equal((await owner.ask('POST', WORKSPACES, { name: 'x'.repeat(80) })).status, 201);
  const japanese = await owner.ask<MembershipView>('POST', WORKSPACES, { name: '研究' });
  assert.match(japanese.data.slug, /^workspace-[0-9a-f]{8}$/);
});

forEachService('the same name twice gives two workspaces, and says nothing of the first', async (service, owner) => {
  const other = await register(service);
  const [one, two] = await Promise.all([
    owner.ask<MembershipView>('POST', WORKSPACES, { name: 'Acme' }),
    other.ask<MembershipView>('POST', WORKSPACES, { name: 'Acme' }),
  ]);
  assert.match(one.data.slug, /^acme-[0-9a-f]{8}$/);
  assert.match(two.data.slug, /^acme-[0-9a-f]{8}$/);
  assert.notEqual(one.data.slug, two.data.slug);
});

forEachService(
  'an account owns twenty workspaces at most, however many it asks for at once',
  async (service, owner) => {
    // The personal one is the first.
    for (let made = 1; made < MAX_OWNED - 3; made++) await makeWorkspace(service.database, owner.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => owner.ask('POST', WORKSPACES, { name: `W${i}` })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    const refusals = answers.filter(({ status }) => status !== 201);
    assert.deepEqual([...new Set(refusals.map(({ status, code }) => `${status} ${code}`))], ['409 LIMIT_REACHED']);
    const { data } = await owner.ask<{ workspaces: unknown[] }>('GET', WORKSPACES);
    assert.equal(data.workspaces.length, MAX_OWNED);
  },
);

forEachService('the personal workspace stays and stays with its owner', async (service, owner) => {
  const { id } = await personalWorkspace(service.database, owner.id);
  const member = await register(service);
  const collaborator_id = await makeMember(service.database, id, member.id, { role: 'editor' });
  for (const [method, path, body] of [
    ['DELETE', `${WORKSPACES}/${id}`, undefined],
    ['POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id }],
  ] as const) {
    const { status, code, body: said } = await owner.ask(method, path, body);
    assert.deepEqual([status, code], [409, 'CONFLICT'], said);
    assert.match(said, /personal workspace/);
  }
  assert.equal((await owner.ask<MembershipView>('GET', `${WORKSPACES}/${id}`)).data.owner_user_id, owner.id);
});
