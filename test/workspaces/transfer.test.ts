import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { DAY_MS } from '../../src/calendar/index.ts';
import {
  MAX_OWNED_WORKSPACES,
  type MembershipView,
  type OfferedWorkspace,
  type TransferView,
} from '../../src/workspaces/index.ts';
import {
  collaboratorIdOf,
  makeMember,
  makeWorkspace,
  personalWorkspace,
  type Registered,
  register,
  shareService,
  transferTo,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

const accept = ({ request }: Registered, id: string) => request('POST', `/v1/me/invitations/${id}/accept`);

forEachService(
  'transfers a workspace to a member that accepts, and makes the previous owner an editor of everything',
  async (service, owner) => {
    const member = await register(service);
    const unverified = await register(service, { verified: false });
    const { id, slug } = await makeWorkspace(service.database, owner.id);
    const collaborator_id = await makeMember(service.database, id, member.id, {
      csv_scope_mode: 'none',
      forecasts_scope_mode: 'selected',
      forecasts_scope_ids: [],
    });
    const transfer = (body: object) => owner.request<OfferedWorkspace>('POST', `${WORKSPACES}/${slug}/transfer`, body);
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

    const offered = await transfer({ collaborator_id });
    assert.equal(offered.status, 200, offered.body);
    const { transfer: opened, ...workspace } = offered.data;
    const { invitation_id, created_at } = opened;
    assert.match(invitation_id, /^inv_[0-9A-Z]{26}$/);
    const expires_at = new Date(Date.parse(created_at) + 14 * DAY_MS).toISOString();
    assert.deepEqual(opened, { invitation_id, collaborator_id, email: member.email, created_at, expires_at });
    const before = await owner.request<MembershipView>('GET', `${WORKSPACES}/${id}`);
    assert.deepEqual([before.data.role, before.data.owner_user_id], ['owner', owner.id], 'nothing has changed');
    assert.deepEqual(workspace, before.data);

    assert.equal((await accept(member, invitation_id)).status, 200);
    const full = { csv: { mode: 'all', ids: [] }, forecasts: { mode: 'all', ids: [] } };
    for (const [{ request }, role] of [[owner, 'editor'] as const, [member, 'owner'] as const]) {
      const { data } = await request<MembershipView>('GET', `${WORKSPACES}/${id}`);
      assert.deepEqual([data.role, data.owner_user_id, data.resource_scope], [role, member.id, full]);
    }
    assert.equal((await owner.request('DELETE', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
    assert.equal((await transfer({ collaborator_id })).code, 'WORKSPACE_DENIED');
    assert.equal((await member.request('GET', `${WORKSPACES}/${id}/transfer`)).code, 'NOT_FOUND');
    assert.equal((await member.request('DELETE', `${WORKSPACES}/${id}`)).status, 200);
  },
);

forEachService('the owner reads, replaces and withdraws an open transfer', async (service, owner) => {
  const { database } = service;
  const [one, two] = [await register(service), await register(service)];
  const { id } = await makeWorkspace(database, owner.id);
  const at = `${WORKSPACES}/${id}/transfer`;
  const offerTo = async ({ id: accountId }: Registered) => {
    const collaborator_id = await collaboratorIdOf(database, accountId, id);
    return (await owner.request<OfferedWorkspace>('POST', at, { collaborator_id })).data.transfer;
  };
  for (const { id: accountId } of [one, two]) await makeMember(database, id, accountId);
  for (const method of ['GET', 'DELETE'] as const) assert.equal((await owner.request(method, at)).code, 'NOT_FOUND');

  const first = await offerTo(one);
  const second = await offerTo(two);
  assert.deepEqual((await owner.request<TransferView>('GET', at)).data, second);
  assert.equal((await accept(one, first.invitation_id)).code, 'NOT_FOUND', 'it is replaced');
  assert.equal((await two.request('GET', at)).code, 'WORKSPACE_DENIED');
  // A transfer is not a collaborator.
  const collaborator = `${WORKSPACES}/${id}/collaborators/${second.invitation_id}`;
  assert.equal((await owner.request('DELETE', collaborator)).code, 'NOT_FOUND');
  assert.equal((await owner.request('PATCH', collaborator, { role: 'viewer' })).code, 'NOT_FOUND');

  const withdrawn = await owner.request('DELETE', at);
  const { invitation_id } = second;
  assert.deepEqual([withdrawn.status, withdrawn.data], [200, { invitation_id, workspace_id: id, removed: true }]);
  assert.equal((await owner.request('DELETE', at)).code, 'NOT_FOUND');
  assert.equal((await accept(two, invitation_id)).code, 'NOT_FOUND');

  const third = await offerTo(one);
  assert.equal((await one.request('POST', `/v1/me/invitations/${third.invitation_id}/decline`)).status, 200);
  assert.equal((await owner.request('GET', at)).code, 'NOT_FOUND');
  await transferTo(owner, one, `${WORKSPACES}/${id}`, await collaboratorIdOf(database, one.id, id));
  assert.equal((await owner.request<MembershipView>('GET', `${WORKSPACES}/${id}`)).data.owner_user_id, one.id);
});

forEachService('an account that owns twenty workspaces cannot accept another', async (service, owner) => {
  const member = await register(service);
  for (let count = 1; count < MAX_OWNED_WORKSPACES; count++) await makeWorkspace(service.database, member.id);
  const { id } = await makeWorkspace(service.database, owner.id);
  const collaborator_id = await makeMember(service.database, id, member.id);
  const { data } = await owner.request<OfferedWorkspace>('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id });
  const { status, code, body } = await accept(member, data.transfer.invitation_id);
  assert.deepEqual([status, code], [409, 'LIMIT_REACHED']);
  assert.match(body, /Your account owns 20 workspaces/);
  assert.equal((await owner.request('GET', `${WORKSPACES}/${id}/transfer`)).status, 200, 'it stays open');
});

forEachService('refuses a new owner whose plan has no room for the workspace', async (service, owner) => {
  const { database } = service;
  const member = await register(service);
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator_id = await makeMember(database, id, member.id);
  // As if the workspace had more than the 20 GiB of a pro account.
  const stored = (bytes: number) =>
    sql`INSERT INTO stored_bytes (payer, bytes) VALUES (${id}, ${bytes})
      ON CONFLICT (payer) DO UPDATE SET bytes = excluded.bytes`.execute(database.query());
  await stored(21 * 1024 ** 3);
  const { data } = await owner.request<OfferedWorkspace>('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id });
  const { invitation_id } = data.transfer;
  const refused = await accept(member, invitation_id);
  assert.deepEqual([refused.status, refused.code], [409, 'LIMIT_REACHED']);
  assert.match(refused.body, /Your plan allows at most 20 GiB/);
  assert.equal((await owner.request<MembershipView>('GET', `${WORKSPACES}/${id}`)).data.role, 'owner');
  await stored(19 * 1024 ** 3);
  assert.equal((await accept(member, invitation_id)).status, 200, 'the invitation is still open');
  assert.equal((await member.request<MembershipView>('GET', `${WORKSPACES}/${id}`)).data.role, 'owner');
});
