import assert from 'node:assert/strict';
import {
  acceptInvitation,
  declineInvitation,
  findMembership,
  MAX_OWNED_WORKSPACES,
  removeCollaborator,
  transferWorkspace,
  type WorkspaceTables,
  withdrawTransfer,
} from '../../src/workspaces/index.ts';
import {
  deleteWorkspaceRow,
  outcomeOf,
  type RaceScene,
  ROUNDS,
  race,
  raceTwo,
  type TestAccount,
} from '../support/workspaces/races.ts';
import { assertOneOwnerEach, makeMember, makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';

/** Creates a workspace with a member, to whom it is offered. */
async function openTransfer({ database, context }: RaceScene, owner: TestAccount, member: TestAccount) {
  const { id } = await makeWorkspace(database, owner.id);
  const collaboratorId = await makeMember(database, id, member.id);
  const offer = () => transferWorkspace(context, principalOf(owner), id, { collaboratorId });
  const { transfer } = await offer();
  const { invitation_id } = transfer;
  return {
    id,
    collaboratorId,
    offer,
    accept: () => acceptInvitation(context, principalOf(member), { id: invitation_id }),
    decline: () => declineInvitation(context, principalOf(member), { id: invitation_id }),
    withdraw: () => withdrawTransfer(context, principalOf(owner), id),
    roleOf: async (account: TestAccount) => (await findMembership(database, account.id, id))?.role ?? 'none',
    /** Removes the workspace and its invitations, because both are limited. */
    async close() {
      await assertOneOwnerEach(database);
      await deleteWorkspaceRow(database, id);
      await database.query<WorkspaceTables>().deleteFrom('workspace_invitation').execute();
    },
  };
}

race('leaves one open transfer after two concurrent ones, and one new owner', async (scene) => {
  const { database, context, newAccount } = scene;
  const [owner, one, two] = [await newAccount(), await newAccount(), await newAccount()];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const offered = await Promise.all(
      (round % 2 ? [one, two] : [two, one]).map(async (member) => {
        const collaboratorId = await makeMember(database, id, member.id);
        const { transfer } = await transferWorkspace(context, principalOf(owner), id, { collaboratorId });
        return { member, invitation_id: transfer.invitation_id };
      }),
    );
    const outcomes = await Promise.all(
      offered.map(({ member, invitation_id }) =>
        outcomeOf(acceptInvitation(context, principalOf(member), { id: invitation_id })),
      ),
    );
    assert.deepEqual(outcomes.toSorted(), ['done', 'over']);
    assert.equal((await findMembership(database, owner.id, id))?.role, 'editor');
    await assertOneOwnerEach(database);
    await deleteWorkspaceRow(database, id);
    await database.query<WorkspaceTables>().deleteFrom('workspace_invitation').execute();
  }
});

race('accepts a transfer once under twenty concurrent requests', async (scene) => {
  const [owner, member] = [await scene.newAccount(), await scene.newAccount()];
  for (let round = 0; round < 3; round++) {
    const { accept, roleOf, close } = await openTransfer(scene, owner, member);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(accept())));
    assert.deepEqual(outcomes.toSorted(), ['done', ...Array<string>(19).fill('over')]);
    assert.deepEqual([await roleOf(owner), await roleOf(member)], ['editor', 'owner']);
    await close();
  }
});

race('either accepts a transfer or ends it, by withdrawing, declining or replacing it', async (scene) => {
  const [owner, member] = [await scene.newAccount(), await scene.newAccount()];
  for (const end of ['withdraw', 'decline', 'offer'] as const) {
    for (let round = 0; round < ROUNDS; round++) {
      const transfer = await openTransfer(scene, owner, member);
      const [accepted, ended] = await raceTwo(round, transfer.accept, transfer[end]);
      const roles = [await transfer.roleOf(owner), await transfer.roleOf(member)];
      if (accepted === 'done') {
        // The previous owner can no longer withdraw or offer anything.
        assert.deepEqual([ended, ...roles], [end === 'decline' ? 'over' : 'WORKSPACE_DENIED', 'editor', 'owner']);
      } else assert.deepEqual([accepted, ended, ...roles], ['over', 'done', 'owner', 'viewer']);
      assert.equal(await outcomeOf(transfer.accept()), 'over');
      await transfer.close();
    }
  }
});

race('either accepts a transfer or removes the member, who then cannot accept', async (scene) => {
  const { database, context, newAccount } = scene;
  const [owner, member] = [await newAccount(), await newAccount()];
  for (let round = 0; round < ROUNDS; round++) {
    const { id, collaboratorId, accept, roleOf, close } = await openTransfer(scene, owner, member);
    const by = round % 3 === 0 ? member : owner;
    const remove = () => removeCollaborator(context, principalOf(by), id, collaboratorId);
    const [accepted, removed] = await raceTwo(round, accept, remove);
    if (accepted === 'done') {
      // A member that leaves now owns the workspace; the previous owner can no longer remove members.
      assert.deepEqual([removed, await roleOf(member)], [by === member ? 'CONFLICT' : 'WORKSPACE_DENIED', 'owner']);
    } else {
      assert.deepEqual([accepted, removed, await roleOf(member)], ['over', 'done', 'none']);
      // Becoming a member again does not bring the transfer back.
      await makeMember(database, id, member.id);
      assert.deepEqual([await outcomeOf(accept()), await roleOf(member)], ['over', 'viewer']);
    }
    await close();
  }
});

race('does not exceed the limit of owned workspaces by accepting several at the same time', async (scene) => {
  const { database, newAccount } = scene;
  const [owner, member] = [await newAccount(), await newAccount()];
  for (let owned = 1; owned < MAX_OWNED_WORKSPACES - 1; owned++) await makeWorkspace(database, member.id);
  const transfers = await Promise.all(Array.from({ length: 4 }, () => openTransfer(scene, owner, member)));
  const outcomes = await Promise.all(transfers.map(({ accept }) => outcomeOf(accept())));
  assert.deepEqual(outcomes.toSorted(), [...Array<string>(3).fill('LIMIT_REACHED'), 'done']);
});
