import assert from 'node:assert/strict';
import type { CollaboratorView, MembershipView } from '../../src/workspaces/index.ts';
import { create } from '../support/forecasts/forecast-service.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type PlaceSpec,
  placeOf,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const WHOLE = { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
const NONE = { mode: 'none', ids: [] };
const NOBODYS = 'col_00000000000000000000000000';

/** A workspace of the owner's, and how its collaborators are asked for. */
async function openWorkspace(service: Parameters<Parameters<typeof forEachService>[1]>[0], owner: Registered) {
  const workspace = await makeWorkspace(service.database, owner.id);
  const path = `${WORKSPACES}/${workspace.slug}/collaborators`;
  return {
    ...workspace,
    path,
    add: (body: object) => owner.ask<CollaboratorView>('POST', path, body),
    list: async ({ ask } = owner) => (await ask<{ collaborators: CollaboratorView[] }>('GET', path)).data.collaborators,
  };
}

forEachService('an account is a member at once, others are invited', async (service, owner) => {
  const member = await register(service);
  const unverified = await register(service, { verified: false });
  const { id, path, add, list } = await openWorkspace(service, owner);

  const added = await add({ email: member.email.toUpperCase(), role: 'editor', resource_scope: { csv: NONE } });
  assert.equal(added.status, 201, added.body);
  const { collaborator_id, created_at } = added.data;
  assert.match(collaborator_id, /^col_[0-9A-Z]{26}$/);
  assert.deepEqual(added.data, {
    collaborator_id,
    kind: 'member',
    user: { id: member.id, email: member.email },
    email: member.email,
    role: 'editor',
    resource_scope: { ...WHOLE, csv: NONE },
    created_at,
    expires_at: null,
  });
  const seen = await member.ask<MembershipView>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual([seen.data.role, seen.data.resource_scope], ['editor', { ...WHOLE, csv: NONE }]);

  const invited = await add({ email: 'new.person@example.org', role: 'viewer' });
  assert.deepEqual(invited.data, {
    collaborator_id: invited.data.collaborator_id,
    kind: 'invitation',
    user: null,
    email: 'new.person@example.org',
    role: 'viewer',
    resource_scope: WHOLE,
    created_at: invited.data.created_at,
    expires_at: new Date(Date.parse(invited.data.created_at) + 7 * 86_400_000).toISOString(),
  });
  // Whether that address is its own, nobody knows yet.
  const third = await add({ email: unverified.email, role: 'viewer' });
  assert.equal(third.data.kind, 'invitation');
  assert.equal((await unverified.ask('GET', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');

  const [first, ...others] = await list();
  assert.deepEqual(first, {
    collaborator_id: await placeOf(service.database, owner.id, id),
    kind: 'member',
    user: { id: owner.id, email: owner.email },
    email: owner.email,
    role: 'owner',
    resource_scope: WHOLE,
    created_at: first?.created_at,
    expires_at: null,
  });
  assert.deepEqual(others, [added.data, invited.data, third.data]);

  for (const email of [owner.email, member.email, 'New.Person@example.org', unverified.email]) {
    const { status, code, body } = await add({ email, role: 'viewer' });
    assert.deepEqual([status, code], [409, 'CONFLICT'], body);
  }
  assert.equal((await list()).length, 4);
  assert.equal((await member.ask('POST', path, { email: 'x@example.org', role: 'viewer' })).code, 'WORKSPACE_DENIED');
});

forEachService('what is no address, role or scope is refused by name', async (service, owner) => {
  const { id, path, add, list } = await openWorkspace(service, owner);
  const collaboratorId = await makeMember(service.database, id, (await register(service)).id);
  const elsewhere = await create({ ask: owner.ask, accountId: owner.id, credentials: {} });
  const here = await create(
    { ask: owner.ask, accountId: owner.id, credentials: {} },
    { workspace_id: id, visibility: 'workspace' },
  );
  const known = here.data.forecast_id;
  const scopes: [object, string][] = [
    [{ csv: { mode: 'some' } }, 'resource_scope.csv.mode:'],
    [{ csv: { mode: 'selected' } }, 'resource_scope.csv.ids: is required'],
    [{ csv: { mode: 'all', ids: ['csv_1'] } }, 'resource_scope.csv.ids: can be given with the mode selected only'],
    [{ forecasts: { mode: 'none', ids: [known] } }, 'resource_scope.forecasts.ids: can be given'],
    [{ csv: { mode: 'selected', ids: ['csv_1'] } }, 'resource_scope.csv.ids[0]: is no file of this workspace'],
    [
      { forecasts: { mode: 'selected', ids: [known, elsewhere.data.forecast_id] } },
      'resource_scope.forecasts.ids[1]: is no',
    ],
    [
      { forecasts: { mode: 'selected', ids: [known, known] } },
      'resource_scope.forecasts.ids: must not name a thing twice',
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
    [{ ...person, email: 'nobody' }, 'email:'],
    [{ ...person, role: 'owner' }, 'role:'],
    [{ email: 'a@example.org' }, 'role:'],
    ...scopes.map(([resource_scope, words]): [object, string] => [{ ...person, resource_scope }, words]),
  ];
  for (const [body, words] of refused) {
    const answer = await add(body);
    assert.deepEqual([answer.status, answer.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    assert.ok(JSON.parse(answer.body).error.message.startsWith(words), answer.body);
  }
  const before = await list();
  const changes: [object, string][] = [
    [{}, ''],
    [{ role: 'owner' }, 'role:'],
    ...scopes.map(([resource_scope, words]): [object, string] => [{ resource_scope }, words]),
  ];
  for (const [body, words] of changes) {
    const answer = await owner.ask('PATCH', `${path}/${collaboratorId}`, body);
    assert.deepEqual([answer.status, answer.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    assert.ok(JSON.parse(answer.body).error.message.startsWith(words), answer.body);
  }
  assert.deepEqual(await list(), before, 'nothing has changed');
});

forEachService('role and scope are changed part by part, of members and of invitations', async (service, owner) => {
  const member = await register(service);
  const { id, path, add, list } = await openWorkspace(service, owner);
  const person = { ask: owner.ask, accountId: owner.id, credentials: {} };
  const { data: forecast } = await create(person, { workspace_id: id, visibility: 'workspace' });
  const selected = { mode: 'selected', ids: [forecast.forecast_id] };
  for (const email of [member.email, 'later@example.org']) {
    const { data: added } = await add({ email, role: 'viewer' });
    const change = (body: object) => owner.ask<CollaboratorView>('PATCH', `${path}/${added.collaborator_id}`, body);
    assert.deepEqual((await change({ role: 'editor' })).data, { ...added, role: 'editor' });
    const scoped = await change({ resource_scope: { forecasts: selected } });
    const expected = { ...added, role: 'editor', resource_scope: { ...WHOLE, forecasts: selected } };
    assert.deepEqual([scoped.status, scoped.data], [200, expected]);
    // As it was shown, it can be sent again.
    assert.deepEqual((await change({ resource_scope: expected.resource_scope })).data, expected);
    const other = await change({ role: 'viewer', resource_scope: { csv: NONE, forecasts: { mode: 'all' } } });
    assert.deepEqual(other.data, { ...added, resource_scope: { ...WHOLE, csv: NONE } });
    assert.deepEqual(
      (await list()).find(({ collaborator_id }) => collaborator_id === added.collaborator_id),
      other.data,
    );
  }
  const seen = await member.ask<MembershipView>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual(seen.data.resource_scope, { ...WHOLE, csv: NONE });
  const place = await placeOf(service.database, owner.id, id);
  assert.equal((await owner.ask('PATCH', `${path}/${place}`, { role: 'viewer' })).code, 'CONFLICT');
  assert.equal((await owner.ask('PATCH', `${path}/${NOBODYS}`, { role: 'viewer' })).code, 'NOT_FOUND');
});

forEachService('who manages nobody is told of the things in its own scope only', async (service, owner) => {
  const { id, list } = await openWorkspace(service, owner);
  const viewer = await register(service);
  const other = await register(service);
  const own: PlaceSpec = { csv_scope_mode: 'selected', csv_scope_ids: ['csv_a'], forecasts_scope_mode: 'none' };
  await makeMember(service.database, id, viewer.id, own);
  const both: PlaceSpec = {
    csv_scope_ids: ['csv_a', 'csv_b'],
    forecasts_scope_mode: 'selected',
    forecasts_scope_ids: ['ef_a'],
  };
  await makeMember(service.database, id, other.id, { ...own, ...both });
  const scopes = async (as: Registered) => (await list(as)).map(({ resource_scope }) => resource_scope);
  const selected = (...ids: string[]) => ({ mode: 'selected', ids });
  assert.deepEqual(await scopes(owner), [
    WHOLE,
    { csv: selected('csv_a'), forecasts: NONE },
    { csv: selected('csv_a', 'csv_b'), forecasts: selected('ef_a') },
  ]);
  assert.deepEqual(await scopes(viewer), [
    WHOLE,
    { csv: selected('csv_a'), forecasts: NONE },
    { csv: selected('csv_a'), forecasts: selected() },
  ]);
});

forEachService(
  'a member is removed, or leaves; an invitation is taken back; the owner stays',
  async (service, owner) => {
    const [removed, leaving, staying] = [await register(service), await register(service), await register(service)];
    const { id, path, add, list } = await openWorkspace(service, owner);
    const place = async ({ email }: { email: string }) => (await add({ email, role: 'editor' })).data.collaborator_id;
    const places = [await place(removed), await place(leaving), await place(staying)];
    const invitation = await place({ email: 'invited@example.org' });
    const ownersPlace = await placeOf(service.database, owner.id, id);
    const remove = (ask: Registered['ask'], collaborator: string) => ask('DELETE', `${path}/${collaborator}`);

    for (const [ask, collaborator, code] of [
      [staying.ask, places[0], 'WORKSPACE_DENIED'],
      [staying.ask, invitation, 'WORKSPACE_DENIED'],
      [staying.ask, NOBODYS, 'WORKSPACE_DENIED'],
      [owner.ask, ownersPlace, 'CONFLICT'],
      [owner.ask, NOBODYS, 'NOT_FOUND'],
    ] as const)
      assert.equal((await remove(ask, collaborator ?? '')).code, code);
    assert.match((await remove(owner.ask, ownersPlace)).body, /[Tt]ransfer the workspace/);
    assert.equal((await list()).length, 5, 'nobody is gone');

    for (const [ask, collaborator] of [
      [owner.ask, places[0]],
      [leaving.ask, places[1]],
      [owner.ask, invitation],
    ] as const) {
      const answer = await remove(ask, collaborator ?? '');
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
      const again = await remove(owner.ask, collaborator ?? '');
      assert.deepEqual([again.status, again.code], [404, 'NOT_FOUND']);
    }
    for (const { ask } of [removed, leaving]) {
      assert.equal((await ask('GET', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
      // The account and its keys are as good as before.
      assert.equal((await ask('GET', '/v1/me/access')).status, 200);
      assert.equal((await ask('POST', WORKSPACES, { name: 'My own' })).status, 201);
    }
    assert.deepEqual(
      (await list()).map(({ email }) => email),
      [owner.email, staying.email],
    );
    // There is room for them again.
    assert.equal((await add({ email: removed.email, role: 'viewer' })).data.kind, 'member');
    assert.equal((await add({ email: 'invited@example.org', role: 'viewer' })).status, 201);
  },
);
