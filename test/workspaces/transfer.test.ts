import assert from 'node:assert/strict';
import { MAX_OWNED, type MembershipView } from '../../src/workspaces/index.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  personalWorkspace,
  placeOf,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

forEachService('a workspace is given to a member; the owner until then edits everything', async (service, owner) => {
  const member = await register(service);
  const unverified = await register(service, { verified: false });
  const { id, slug } = await makeWorkspace(service.database, owner.id);
  const collaborator_id = await makeMember(service.database, id, member.id, {
    csv_scope_mode: 'none',
    forecasts_scope_mode: 'selected',
    forecasts_scope_ids: [],
  });
  const transfer = (body: object) => owner.ask<MembershipView>('POST', `${WORKSPACES}/${slug}/transfer`, body);
  const refusals: [string, string][] = [
    ['col_00000000000000000000000000', 'NOT_FOUND'],
    [await placeOf(service.database, owner.id, id), 'CONFLICT'],
    [await makeMember(service.database, id, unverified.id), 'CONFLICT'],
    [
      await placeOf(service.database, member.id, (await personalWorkspace(service.database, member.id)).id),
      'NOT_FOUND',
    ],
  ];
  for (const [refused, code] of refusals)
    assert.equal((await transfer({ collaborator_id: refused })).code, code, refused);
  assert.equal(
    (await member.ask('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id })).code,
    'WORKSPACE_DENIED',
  );

  const given = await transfer({ collaborator_id });
  assert.equal(given.status, 200, given.body);
  const whole = { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
  assert.deepEqual(
    [given.data.role, given.data.owner_user_id, given.data.resource_scope],
    ['editor', member.id, whole],
  );
  const { data } = await member.ask<MembershipView>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual([data.role, data.owner_user_id, data.resource_scope], ['owner', member.id, whole]);
  assert.equal((await owner.ask('DELETE', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
  assert.equal((await transfer({ collaborator_id })).code, 'WORKSPACE_DENIED');
  assert.equal((await member.ask('DELETE', `${WORKSPACES}/${id}`)).status, 200);
});

forEachService('who owns twenty workspaces is given no more', async (service, owner) => {
  const member = await register(service);
  for (let made = 1; made < MAX_OWNED; made++) await makeWorkspace(service.database, member.id);
  const { id } = await makeWorkspace(service.database, owner.id);
  const collaborator_id = await makeMember(service.database, id, member.id);
  const { status, code } = await owner.ask('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id });
  assert.deepEqual([status, code], [409, 'LIMIT_REACHED']);
});
