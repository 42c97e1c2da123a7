import assert from 'node:assert/strict';
import { MAX_OWNED_WORKSPACES, type MembershipView } from '../../src/workspaces/index.ts';
import {
  collaboratorIdOf,
  forEachService,
  makeMember,
  makeWorkspace,
  personalWorkspace,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

forEachService(
  'transfers a workspace to a member and makes the previous owner an editor of everything',
  async (service, owner) => {
    const member = await register(service);
    const unverified = await register(service, { verified: false });
    const { id, slug } = await makeWorkspace(service.database, owner.id);
    const collaborator_id = await makeMember(service.database, id, member.id, {
      csv_scope_mode: 'none',
      forecasts_scope_mode: 'selected',
      forecasts_scope_ids: [],
    });
    const transfer = (body: object) => owner.request<MembershipView>('POST', `${WORKSPACES}/${slug}/transfer`, body);
    const refusals: [string, string][] = [
      ['col_00000000000000000000000000', 'NOT_FOUND'],
      [await collaboratorIdOf(service.database, owner.id, id), 'CONFLICT'],
      [await makeMember(service.database, id, unverified.id), 'CONFLICT'],
      [
        await collaboratorIdOf(service.database, member.id, (await personalWorkspace(service.database, member.id)).id),
        'NOT_FOUND',
      ],
    ];
    for (const [refused, code] of refusals)
      assert.equal((await transfer({ collaborator_id: refused })).code, code, refused);
    assert.equal(
      (await member.request('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id })).code,
      'WORKSPACE_DENIED',
    );

    const transferred = await transfer({ collaborator_id });
    assert.equal(transferred.status, 200, transferred.body);
    const full = { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
    assert.deepEqual(
      [transferred.data.role, transferred.data.owner_user_id, transferred.data.resource_scope],
      ['editor', member.id, full],
    );
    const { data } = await member.request<MembershipView>('GET', `${WORKSPACES}/${id}`);
    assert.deepEqual([data.role, data.owner_user_id, data.resource_scope], ['owner', member.id, full]);
    assert.equal((await owner.request('DELETE', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
    assert.equal((await transfer({ collaborator_id })).code, 'WORKSPACE_DENIED');
    assert.equal((await member.request('DELETE', `${WORKSPACES}/${id}`)).status, 200);
  },
);

forEachService('refuses a transfer to an account that owns twenty workspaces', async (service, owner) => {
  const member = await register(service);
  for (let count = 1; count < MAX_OWNED_WORKSPACES; count++) await makeWorkspace(service.database, member.id);
  const { id } = await makeWorkspace(service.database, owner.id);
  const collaborator_id = await makeMember(service.database, id, member.id);
  const { status, code } = await owner.request('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id });
  assert.deepEqual([status, code], [409, 'LIMIT_REACHED']);
});
