import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/calendar/index.ts';
import type { CollaboratorView, MembershipView } from '../../src/workspaces/index.ts';
import { create } from '../support/forecasts/forecast-service.ts';
import {
  collaboratorIdOf,
  forEachService,
  joinByInvitation,
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const FULL = { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
const NONE = { mode: 'none', ids: [] };
const UNKNOWN = 'col_00000000000000000000000000';

/** Creates a workspace with functions that add and list its collaborators. */
async function openWorkspace(service: Parameters<Parameters<typeof forEachService>[1]>[0], owner: Registered) {
  const workspace = await makeWorkspace(service.database, owner.id);
  const path = `${WORKSPACES}/${workspace.slug}/collaborators`;
  return {
    ...workspace,
    path,
    add: (body: object) => owner.request<CollaboratorView>('POST', path, body),
    list: async ({ request } = owner) =>
      (await request<{ collaborators: CollaboratorView[] }>('GET', path)).data.collaborators,
  };
}

forEachService('invites every address in the same way, with an account and without', async (service, owner) => {
  const member = await register(service);
  const unverified = await register(service, { verified: false });
  const { id, path, add, list } = await openWorkspace(service, owner);

  const added = await add({ email: member.email.toUpperCase(), role: 'editor', resource_scope: { csv: NONE } });
  assert.equal(added.status, 201, added.body);
  const { collaborator_id, created_at } = added.data;
  assert.match(collaborator_id, /^col_[0-9A-Z]{26}$/);
  assert.deepEqual(added.data, {
    collaborator_id,
    kind: 'invitation',
    user: null,
    email: member.email,
    role: 'editor',
    resource_scope: { ...FULL, csv: NONE },
    credits_used: null,
    created_at,
    expires_at: new Date(Date.parse(created_at) + 14 * DAY_MS).toISOString(),
  });
  const invited = await add({ email: 'new.person@example.org', role: 'viewer' });
  const third = await add({ email: unverified.email, role: 'viewer' });
  assert.deepEqual([invited.data.kind, third.data.kind], ['invitation', 'invitation']);
  for (const { request } of [member, unverified]) {
    assert.equal((await request('GET', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED', 'until it accepts');
  }

  const [first, ...others] = await list();
  assert.deepEqual(first, {
    collaborator_id: await collaboratorIdOf(service.database, owner.id, id),
    kind: 'member',
    user: { id: owner.id, email: owner.email },
    email: owner.email,
    role: 'owner',
    resource_scope: FULL,
    credits_used: null,
    created_at: first?.created_at,
    expires_at: null,
  });
  assert.deepEqual(others, [added.data, invited.data, third.data]);

  for (const email of [owner.email, member.email, 'New.Person@example.org', unverified.email]) {
    const { status, code, body } = await add({ email, role: 'viewer' });
    assert.deepEqual([status, code], [409, 'CONFLICT'], body);
  }
  assert.equal((await list()).length, 4);
  assert.equal((await member.request('POST', `/v1/me/invitations/${collaborator_id}/accept`)).status, 200);
  const seen = await member.request<MembershipView>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual([seen.data.role, seen.data.resource_scope], ['editor', { ...FULL, csv: NONE }]);
  const joined = (await list())[1];
  assert.deepEqual(joined, {
    ...added.data,
    kind: 'member',
    user: { id: member.id, email: member.email },
    credits_used: 0,
    created_at: joined?.created_at,
    expires_at: null,
  });
  assert.equal((await add({ email: member.email, role: 'viewer' })).code, 'CONFLICT');
  assert.equal(
    (await member.request('POST', path, { email: 'x@example.org', role: 'viewer' })).code,
    'WORKSPACE_DENIED',
  );
});

forEachService('names an invalid address, role or scope', async (service, owner) => {
  const { id, path, add, list } = await openWorkspace(service, owner);
  const collaboratorId = await makeMember(service.database, id, (await register(service)).id);
  const elsewhere = await create(owner);
  const here = await create(owner, { workspace_id: id, visibility: 'workspace' });
  const known = here.data.forecast_id;
  const scopes: [object, string][] = [
    [{ csv: { mode: 'some' } }, 'resource_scope.csv.mode:'],
    [{ csv: { mode: 'selected' } }, 'resource_scope.csv.ids: is required'],
    [{ csv: { mode: 'all', ids: ['csv_1'] } }, 'resource_scope.csv.ids: is only allowed with the mode selected'],
    [{ forecasts: { mode: 'none', ids: [known] } }, 'resource_scope.forecasts.ids: is only allowed'],
    [
      { csv: { mode: 'selected', ids: ['csv_1'] } },
      'resource_scope.csv.ids[0]: this workspace has no file with this id that you can read',
    ],
    [
      { forecasts: { mode: 'selected', ids: [known, elsewhere.data.forecast_id] } },
      'resource_scope.forecasts.ids[1]: this workspace has no forecast',
    ],
    [
      { forecasts: { mode: 'selected', ids: [known, known] } },
      'resource_scope.forecasts.ids: must not contain an id twice',
    ],
    [
      { forecasts: { mode: 'selected', ids: Array.from({ length: 1001 }, (_, i) => `ef_${i}`) } },
      'resource_scope.forecasts.ids:',
    ],
    [{ files: { mode: 'all' } }, 'resource_scope:'],
  ];
  const person = { email: 'a@example.org', role: 'viewer' };
  const refused: [object, string][] = [
    [{ role: 'viewer' }, 'email:'],
    [{ ...person, email: 'no-address' }, 'email:'],
    [{ ...person, role: 'owner' }, 'role:'],
    [{ email: 'a@example.org' }, 'role:'],
    ...scopes.map(([resource_scope, message]): [object, string] => [{ ...person, resource_scope }, message]),
  ];
  for (const [body, message] of refused) {
    const answer = await add(body);
    assert.deepEqual([answer.status, answer.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    assert.ok(JSON.parse(answer.body).error.message.startsWith(message), answer.body);
  }
  const before = await list();
  const changes: [object, string][] = [
    [{}, ''],
    [{ role: 'owner' }, 'role:'],
    ...scopes.map(([resource_scope, message]): [object, string] => [{ resource_scope }, message]),
  ];
  for (const [body, message] of changes) {
    const answer = await owner.request('PATCH', `${path}/${collaboratorId}`, body);
    assert.deepEqual([answer.status, answer.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    assert.ok(JSON.parse(answer.body).error.message.startsWith(message), answer.body);
  }
  assert.deepEqual(await list(), before, 'a refusal changes nothing');
});

forEachService('changes role and scope separately, for members and invitations', async (service, owner) => {
  const member = await register(service);
  const { id, path, add, list } = await openWorkspace(service, owner);
  const person = { request: owner.request, accountId: owner.id, credentials: {} };
  const { data: forecast } = await create(person, { workspace_id: id, visibility: 'workspace' });
  const selected = { mode: 'selected', ids: [forecast.forecast_id] };
  const joined = await joinByInvitation(owner, member, `${WORKSPACES}/${id}`, { role: 'viewer' });
  await add({ email: 'later@example.org', role: 'viewer' });
  for (const added of (await list()).slice(1)) {
    assert.equal(added.kind === 'member', added.collaborator_id === joined);
    const change = (body: object) => owner.request<CollaboratorView>('PATCH', `${path}/${added.collaborator_id}`, body);
    assert.deepEqual((await change({ role: 'editor' })).data, { ...added, role: 'editor' });
    const scoped = await change({ resource_scope: { forecasts: selected } });
    const expected = { ...added, role: 'editor', resource_scope: { ...FULL, forecasts: selected } };
    assert.deepEqual([scoped.status, scoped.data], [200, expected]);
    // A scope can be sent back as it was returned.
    assert.deepEqual((await change({ resource_scope: expected.resource_scope })).data, expected);
    const other = await change({ role: 'viewer', resource_scope: { csv: NONE, forecasts: { mode: 'all' } } });
    assert.deepEqual(other.data, { ...added, resource_scope: { ...FULL, csv: NONE } });
    assert.deepEqual(
      (await list()).find(({ collaborator_id }) => collaborator_id === added.collaborator_id),
      other.data,
    );
  }
  const seen = await member.request<MembershipView>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual(seen.data.resource_scope, { ...FULL, csv: NONE });
  const ownerId = await collaboratorIdOf(service.database, owner.id, id);
  assert.equal((await owner.request('PATCH', `${path}/${ownerId}`, { role: 'viewer' })).code, 'CONFLICT');
  assert.equal((await owner.request('PATCH', `${path}/${UNKNOWN}`, { role: 'viewer' })).code, 'NOT_FOUND');
});

forEachService(
  'shows a member without the permission to manage members only ids in its own scope',
  async (service, owner) => {
    const { id, list } = await openWorkspace(service, owner);
    const viewer = await register(service);
    const other = await register(service);
    const own: MembershipSpec = { csv_scope_mode: 'selected', csv_scope_ids: ['csv_a'], forecasts_scope_mode: 'none' };
    await makeMember(service.database, id, viewer.id, own);
    const both: MembershipSpec = {
      csv_scope_ids: ['csv_a', 'csv_b'],
      forecasts_scope_mode: 'selected',
      forecasts_scope_ids: ['ef_a'],
    };
    await makeMember(service.database, id, other.id, { ...own, ...both });
    const scopes = async (as: Registered) => (await list(as)).map(({ resource_scope }) => resource_scope);
    const selected = (...ids: string[]) => ({ mode: 'selected', ids });
    assert.deepEqual(await scopes(owner), [
      FULL,
      { csv: selected('csv_a'), forecasts: NONE },
      { csv: selected('csv_a', 'csv_b'), forecasts: selected('ef_a') },
    ]);
    assert.deepEqual(await scopes(viewer), [
      FULL,
      { csv: selected('csv_a'), forecasts: NONE },
      { csv: selected('csv_a'), forecasts: selected() },
    ]);
  },
);

forEachService('removes members and invitations, lets members leave and keeps the owner', async (service, owner) => {
  const [removed, leaving, staying] = [await register(service), await register(service), await register(service)];
  const { id, path, add, list } = await openWorkspace(service, owner);
  const collaborators = [];
  for (const member of [removed, leaving, staying]) {
    collaborators.push(await joinByInvitation(owner, member, `${WORKSPACES}/${id}`));
  }
  const invitation = (await add({ email: 'invited@example.org', role: 'editor' })).data.collaborator_id;
  const ownerId = await collaboratorIdOf(service.database, owner.id, id);
  const remove = (send: Registered['request'], collaborator: string) => send('DELETE', `${path}/${collaborator}`);

  for (const [send, collaborator, code] of [
    [staying.request, collaborators[0], 'WORKSPACE_DENIED'],
    [staying.request, invitation, 'WORKSPACE_DENIED'],
    [staying.request, UNKNOWN, 'WORKSPACE_DENIED'],
    [owner.request, ownerId, 'CONFLICT'],
    [owner.request, UNKNOWN, 'NOT_FOUND'],
  ] as const)
    assert.equal((await remove(send, collaborator ?? '')).code, code);
  assert.match((await remove(owner.request, ownerId)).body, /[Tt]ransfer the workspace/);
  assert.equal((await list()).length, 5, 'no collaborator is removed');

  for (const [send, collaborator] of [
    [owner.request, collaborators[0]],
    [leaving.request, collaborators[1]],
    [owner.request, invitation],
  ] as const) {
    const answer = await remove(send, collaborator ?? '');
    assert.deepEqual(
      [answer.status, JSON.parse(answer.body)],
      [
        200,
        {
          data: { collaborator_id: collaborator, workspace_id: id, removed: true },
          meta: { api_version: 'v1' },
        },
      ],
    );
    const again = await remove(owner.request, collaborator ?? '');
    assert.deepEqual([again.status, again.code], [404, 'NOT_FOUND']);
  }
  for (const { request } of [removed, leaving]) {
    assert.equal((await request('GET', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
    // The account and its keys stay valid.
    assert.equal((await request('GET', '/v1/me/access')).status, 200);
    assert.equal((await request('POST', WORKSPACES, { name: 'My own' })).status, 201);
  }
  assert.deepEqual(
    (await list()).map(({ email }) => email),
    [owner.email, staying.email],
  );
  // The same addresses can be added again.
  assert.equal((await add({ email: removed.email, role: 'viewer' })).status, 201);
  assert.equal((await add({ email: 'invited@example.org', role: 'viewer' })).status, 201);
});
