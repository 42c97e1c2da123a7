import assert from 'node:assert/strict';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { Fault } from '../../src/contract/index.ts';
import { type Database, newId, openDatabase } from '../../src/platform/index.ts';
import {
  addCollaborator,
  deleteWorkspace,
  findMembership,
  listCollaborators,
  redeemInvitation,
  removeCollaborator,
  transferWorkspace,
  type WorkspaceContext,
  type WorkspaceTables,
} from '../../src/workspaces/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { movableIdentity } from '../support/identity/identity.ts';
import { forEachDatabase, type TestDatabase } from '../support/platform/database.ts';
import {
  assertOneOwnerEach,
  makeMember,
  makeWorkspace,
  principalOf,
  recordMailRequests,
} from '../support/workspaces/workspaces.ts';

const ROUNDS = Number(process.env.ALMANAC_RACES ?? 15);

interface TestAccount {
  readonly id: string;
  readonly email: string;
}

interface Scene {
  readonly database: Database;
  readonly context: WorkspaceContext & { readonly mails: readonly string[] };
  newAccount(): Promise<TestAccount>;
}

/** Opens enough connections that all racing operations run at the same time. */
async function openScene(fixture: TestDatabase): Promise<Scene> {
  const database = await openDatabase({ ...fixture.location, poolSize: 50 });
  fixture.cleanup(() => database.close());
  const identity = movableIdentity(database);
  return {
    database,
    context: recordMailRequests(identity),
    newAccount: () => makeAccount(identity, { password: null }),
  };
}

/** Returns `done`, `over` for null, or the code of the fault. Rethrows any other error. */
function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    (value) => (value === null ? 'over' : 'done'),
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

function race(name: string, body: (scene: Scene) => Promise<void>): void {
  forEachDatabase(name, { migrations: MIGRATIONS, only: 'postgres' }, async (fixture) => {
    const scene = await openScene(fixture);
    await body(scene);
    await assertOneOwnerEach(scene.database);
  });
}

race('lets one of two concurrent transfers succeed', async ({ database, context, newAccount }) => {
  const [owner, one, two] = [await newAccount(), await newAccount(), await newAccount()];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const collaborators = [await makeMember(database, id, one.id), await makeMember(database, id, two.id)];
    const transfers = collaborators.map((collaboratorId) =>
      outcomeOf(transferWorkspace(context, principalOf(owner), id, { collaboratorId })),
    );
    const outcomes = await Promise.all(round % 2 ? transfers : transfers.toReversed());
    assert.deepEqual(outcomes.toSorted(), ['WORKSPACE_DENIED', 'done']);
    assert.equal((await findMembership(database, owner.id, id))?.role, 'editor');
    await assertOneOwnerEach(database);
    await deleteWorkspaceRow(database, id);
  }
});

race('lets either a transfer or the removal of the same member succeed', async ({ database, context, newAccount }) => {
  const [owner, member] = [await newAccount(), await newAccount()];
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const collaboratorId = await makeMember(database, id, member.id);
    const by = round % 3 === 0 ? member : owner;
    const operations = [
      () => outcomeOf(transferWorkspace(context, principalOf(owner), id, { collaboratorId })),
      () => outcomeOf(removeCollaborator(context, principalOf(by), id, collaboratorId)),
    ];
    const [first, second] = await Promise.all(
      (round % 2 ? operations : operations.toReversed()).map((operation) => operation()),
    );
    const [transfer, removal] = round % 2 ? [first, second] : [second, first];
    seen.add(`${transfer} ${removal}`);
    const role = (await findMembership(database, member.id, id))?.role ?? 'gone';
    if (transfer === 'done') {
      // A member that leaves now owns the workspace; the previous owner can no longer remove members.
      assert.deepEqual([removal, role], [by === member ? 'CONFLICT' : 'WORKSPACE_DENIED', 'owner']);
    } else assert.deepEqual([transfer, removal, role], ['NOT_FOUND', 'done', 'gone']);
    await assertOneOwnerEach(database);
    await deleteWorkspaceRow(database, id);
  }
  assert.ok(seen.size > 1, `each operation came first at least once: ${[...seen]}`);
});

race('redeems an invitation once under fifty concurrent requests', async ({ database, context, newAccount }) => {
  const [owner, invited] = [await newAccount(), await newAccount()];
  for (let round = 0; round < 3; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const invitationId = await insertInvitation(database, { workspaceId: id, by: owner, email: invited.email });
    const tries = Array.from({ length: 50 }, () =>
      outcomeOf(redeemInvitation(context, principalOf(invited), { id: invitationId })),
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
  'removes an invited account whether or not it redeems the invitation at the same time',
  async ({ database, context, newAccount }) => {
    const [owner, invited] = [await newAccount(), await newAccount()];
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await makeWorkspace(database, owner.id);
      const invitationId = await insertInvitation(database, { workspaceId: id, by: owner, email: invited.email });
      const [redeemed, removed] = await Promise.all([
        outcomeOf(redeemInvitation(context, principalOf(invited), { id: invitationId })),
        outcomeOf(removeCollaborator(context, principalOf(owner), id, invitationId)),
      ]);
      // An account that joined just before is removed as a member, which has the same id.
      assert.equal(removed, 'done');
      assert.ok(redeemed === 'done' || redeemed === 'over', redeemed);
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

race('deletes a workspace while members join, leave and receive it', async ({ database, context, newAccount }) => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => newAccount()));
  const [owner, member, invited, other] = accounts as [TestAccount, TestAccount, TestAccount, TestAccount];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const collaboratorId = await makeMember(database, id, member.id);
    const invitationId = await insertInvitation(database, { workspaceId: id, by: owner, email: invited.email });
    const as = principalOf(owner);
    const [deleted, ...others] = await Promise.all([
      outcomeOf(deleteWorkspace(context, as, id)),
      outcomeOf(transferWorkspace(context, as, id, { collaboratorId })),
      outcomeOf(redeemInvitation(context, principalOf(invited), { id: invitationId })),
      outcomeOf(addCollaborator(context, as, id, { email: other.email, role: 'viewer', scope: {} })),
      outcomeOf(removeCollaborator(context, principalOf(member), id, collaboratorId)),
    ]);
    const expected = ['done', 'over', 'WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'];
    for (const outcome of others) assert.ok(expected.includes(outcome), outcome);
    const left = await database
      .query<WorkspaceTables>()
      .selectFrom('workspace')
      .select('owner_account_id')
      .where('id', '=', id)
      .executeTakeFirst();
    // It is deleted, or it was transferred just before.
    if (deleted === 'done') assert.equal(left, undefined);
    else assert.deepEqual([deleted, left?.owner_account_id], ['WORKSPACE_DENIED', member.id]);
    await deleteWorkspaceRow(database, id);
    await database.query<WorkspaceTables>().deleteFrom('workspace_invitation').execute();
  }
});

/** Inserts an invitation without sending its email. Returns its id. */
async function insertInvitation(
  database: Database,
  { workspaceId, by, email }: { readonly workspaceId: string; readonly by: TestAccount; readonly email: string },
): Promise<string> {
  const id = newId('col');
  await database
    .query<WorkspaceTables>()
    .insertInto('workspace_invitation')
    .values({
      id,
      kind: 'invitation',
      workspace_id: workspaceId,
      email,
      role: 'editor',
      csv_scope_mode: 'all',
      csv_scope_ids: [],
      forecasts_scope_mode: 'all',
      forecasts_scope_ids: [],
      added_by: by.id,
      created_at: new Date('2026-03-01T09:00:00Z'),
      expires_at: new Date('2026-03-08T09:00:00Z'),
    })
    .execute();
  return id;
}

/** Removes the workspace, because the number of workspaces of an owner is limited. */
async function deleteWorkspaceRow(database: Database, workspaceId: string): Promise<void> {
  await database.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
}
