import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { CollaboratorView, InvitationView, MembershipView, OfferedWorkspace } from '../../src/workspaces/index.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();
const INVITATIONS = '/v1/me/invitations';

async function list({ request }: Registered, query = '') {
  const { data, status, body } = await request<{ invitations: InvitationView[]; next_cursor: string | null }>(
    'GET',
    `${INVITATIONS}${query}`,
  );
  assert.equal(status, 200, body);
  return data;
}

forEachService('lists what an account is invited to, with all it needs to decide', async (service, owner) => {
  const { database } = service;
  const invited = await register(service);
  const { id } = await makeWorkspace(database, owner.id, 'Rates desk');
  const { data: added } = await owner.request<CollaboratorView>('POST', `${WORKSPACES}/${id}/collaborators`, {
    email: invited.email,
    role: 'viewer',
    resource_scope: { csv: { mode: 'none' } },
  });
  const { id: other } = await makeWorkspace(database, owner.id, 'Futures');
  const collaborator_id = await makeMember(database, other, invited.id);
  const offer = await owner.request<OfferedWorkspace>('POST', `${WORKSPACES}/${other}/transfer`, { collaborator_id });
  const { transfer: offered } = offer.data;
  const all = { mode: 'all', ids: [] };
  const { invitations, next_cursor } = await list(invited);
  assert.deepEqual(invitations, [
    {
      invitation_id: offered.invitation_id,
      kind: 'ownership',
      workspace_id: other,
      workspace_name: 'Futures',
      role: 'owner',
      resource_scope: { csv: all, forecasts: all },
      invited_by: owner.email,
      created_at: offered.created_at,
      expires_at: offered.expires_at,
    },
    {
      invitation_id: added.collaborator_id,
      kind: 'membership',
      workspace_id: id,
      workspace_name: 'Rates desk',
      role: 'viewer',
      resource_scope: { csv: { mode: 'none', ids: [] }, forecasts: all },
      invited_by: owner.email,
      created_at: added.created_at,
      expires_at: added.expires_at,
    },
  ]);
  assert.equal(next_cursor, null);
});

forEachService('pages through invitations by cursor and lists only open ones', async (service, owner) => {
  const { database } = service;
  const { email, ...invited } = await register(service);
  const now = Date.now();
  const ids = [];
  for (let i = 0; i < 5; i++) {
    const { id: workspaceId } = await makeWorkspace(database, owner.id);
    ids.unshift(await makeInvitation(database, { workspaceId, email, now: new Date(now + i) }));
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await list({ ...invited, email }, `?limit=2${cursor}`);
    seen.push(...page.invitations.map(({ invitation_id }) => invitation_id));
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  assert.deepEqual(seen, ids);
  const { next_cursor } = await list({ ...invited, email }, '?limit=2');
  const another = await register(service);
  const foreign = await another.request('GET', `${INVITATIONS}?cursor=${encodeURIComponent(next_cursor ?? '')}`);
  assert.equal(foreign.code, 'INVALID_REQUEST', 'a cursor is valid for one account');

  const [expired, declined, accepted, open, gone] = ids as [string, string, string, string, string];
  await sql`UPDATE workspace_invitation SET expires_at = now() WHERE id = ${expired}`.execute(database.query());
  await sql`
    DELETE FROM workspace WHERE id = (SELECT workspace_id FROM workspace_invitation WHERE id = ${gone})
  `.execute(database.query());
  const answer = (id: string, verb: string) => invited.request('POST', `${INVITATIONS}/${id}/${verb}`);
  assert.deepEqual((await answer(declined, 'decline')).data, {
    invitation_id: declined,
    workspace_id: await workspaceOf(service, declined),
    declined: true,
  });
  assert.deepEqual((await answer(accepted, 'accept')).data, {
    invitation_id: accepted,
    workspace_id: await workspaceOf(service, accepted),
    accepted: true,
  });
  assert.deepEqual(
    (await list({ ...invited, email })).invitations.map(({ invitation_id }) => invitation_id),
    [open],
  );
  for (const id of [expired, declined, accepted, gone]) {
    for (const verb of ['accept', 'decline']) assert.equal((await answer(id, verb)).code, 'NOT_FOUND', `${verb} ${id}`);
  }
});

async function workspaceOf(
  { database }: Parameters<typeof register>[0] & { database: Parameters<typeof makeWorkspace>[0] },
  id: string,
) {
  const { rows } = await sql<{ workspace_id: string }>`
    SELECT workspace_id FROM workspace_invitation WHERE id = ${id}`.execute(database.query());
  return rows[0]?.workspace_id;
}

forEachService('hides an invitation from every other account as if it did not exist', async (service, owner) => {
  const { database } = service;
  const unverified = await register(service, { verified: false });
  const stranger = await register(service, { plan: 'enterprise', administrator: true });
  const { id: workspaceId } = await makeWorkspace(database, owner.id);
  const invitation = await makeInvitation(database, { workspaceId, email: unverified.email });
  for (const account of [unverified, stranger, owner]) {
    assert.deepEqual(await list(account), { invitations: [], next_cursor: null });
    for (const verb of ['accept', 'decline']) {
      const answers = [];
      for (const id of [invitation, 'col_00000000000000000000000000']) {
        const { status, body } = await account.request('POST', `${INVITATIONS}/${id}/${verb}`);
        answers.push([status, JSON.parse(body).error.code, JSON.parse(body).error.message]);
      }
      assert.deepEqual(answers[0], answers[1]);
      assert.equal(answers[0]?.[0], 404);
    }
  }
  await sql`UPDATE account SET email_verified = true WHERE id = ${unverified.id}`.execute(database.query());
  assert.equal((await list(unverified)).invitations.length, 1, 'once the address is verified');
  assert.equal((await unverified.request('POST', `${INVITATIONS}/${invitation}/accept`)).status, 200);
  const { data } = await unverified.request<MembershipView>('GET', `${WORKSPACES}/${workspaceId}`);
  assert.equal(data.role, 'editor');
});
