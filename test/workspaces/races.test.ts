import assert from 'node:assert/strict';
import {
  acceptInvitation,
  addCollaborator,
  deleteWorkspace,
  findMembership,
  listCollaborators,
  removeCollaborator,
  transferWorkspace,
  type WorkspaceTables,
} from '../../src/workspaces/index.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import { deleteWorkspaceRow, outcomeOf, ROUNDS, race, type TestAccount } from '../support/workspaces/races.ts';
import { makeMember, makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';

race('accepts an invitation once under fifty concurrent requests', async ({ database, context, newAccount }) => {
  const [owner, invited] = [await newAccount(), await newAccount()];
  for (let round = 0; round < 3; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const invitationId = await makeInvitation(database, {
      workspaceId: id,
      email: invited.email,
      now: context.clock.now(),
    });
    const tries = Array.from({ length: 50 }, () =>
      outcomeOf(acceptInvitation(context, principalOf(invited), { id: invitationId })),
    );
    const outcomes = await Promise.all(tries);
    assert.deepEqual(outcomes.toSorted(), ['done', ...Array<string>(49).fill('over')]);
    const membership = await findMembership(database, invited.id, id);
    assert.deepEqual(
      [membership?.role, membership?.collaboratorId],
      ['editor', invitationId],
      'the membership keeps the id of the invitation',
    );
  }
});

race(
  'removes an invited account whether or not it accepts the invitation at the same time',
  async ({ database, context, newAccount }) => {
    const [owner, invited] = [await newAccount(), await newAccount()];
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await makeWorkspace(database, owner.id);
      const invitationId = await makeInvitation(database, {
        workspaceId: id,
        email: invited.email,
        now: context.clock.now(),
      });
      const [accepted, removed] = await Promise.all([
        outcomeOf(acceptInvitation(context, principalOf(invited), { id: invitationId })),
        outcomeOf(removeCollaborator(context, principalOf(owner), id, invitationId)),
      ]);
      // An account that joined just before is removed as a member, which has the same id.
      assert.equal(removed, 'done');
      assert.ok(accepted === 'done' || accepted === 'over', accepted);
      assert.equal(await findMembership(database, invited.id, id), null);
      await deleteWorkspaceRow(database, id);
    }
  },
);

race(
  'adds an address once and sends one email under concurrent requests',
  async ({ database, context, newAccount }) => {
    const owner = await newAccount();
    for (const email of [(await newAccount()).email, 'not.registered@example.org']) {
      const { id } = await makeWorkspace(database, owner.id);
      const before = context.mails.length;
      const add = () => addCollaborator(context, principalOf(owner), id, { email, role: 'viewer', scope: {} });
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(add())));
      assert.deepEqual(outcomes.toSorted(), [...Array<string>(19).fill('CONFLICT'), 'done']);
      const collaborators = await listCollaborators(context, principalOf(owner), id);
      assert.deepEqual(
        collaborators.map((collaborator) => collaborator.email).toSorted(),
        [owner.email, email].toSorted(),
      );
      assert.equal(context.mails.length - before, 1);
    }
  },
);

race('deletes a workspace while members join, leave and accept it', async ({ database, context, newAccount }) => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => newAccount()));
  const [owner, member, invited, other] = accounts as [TestAccount, TestAccount, TestAccount, TestAccount];
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await makeWorkspace(database, owner.id);
    const memberId = await makeMember(database, workspaceId, member.id);
    const now = context.clock.now();
    const invitationId = await makeInvitation(database, { workspaceId, email: invited.email, now });
    const transferId = await makeInvitation(database, { workspaceId, email: member.email, memberId, now });
    const as = principalOf(owner);
    const [deleted, ...others] = await Promise.all([
      outcomeOf(deleteWorkspace(context, as, workspaceId)),
      outcomeOf(acceptInvitation(context, principalOf(member), { id: transferId })),
      outcomeOf(transferWorkspace(context, as, workspaceId, { collaboratorId: memberId })),
      outcomeOf(acceptInvitation(context, principalOf(invited), { id: invitationId })),
      outcomeOf(addCollaborator(context, as, workspaceId, { email: other.email, role: 'viewer', scope: {} })),
      outcomeOf(removeCollaborator(context, principalOf(member), workspaceId, memberId)),
    ]);
    const expected = ['done', 'over', 'WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'];
    for (const outcome of others) assert.ok(expected.includes(outcome), outcome);
    const left = await database
      .query<WorkspaceTables>()
      .selectFrom('workspace')
      .select('owner_account_id')
      .where('id', '=', workspaceId)
      .executeTakeFirst();
    // It is deleted, or its new owner accepted it just before.
    if (deleted === 'done') assert.equal(left, undefined);
    else assert.deepEqual([deleted, left?.owner_account_id], ['WORKSPACE_DENIED', member.id]);
    await deleteWorkspaceRow(database, workspaceId);
    await database.query<WorkspaceTables>().deleteFrom('workspace_invitation').execute();
  }
});
