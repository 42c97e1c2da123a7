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
  assertOwned,
  makeMember,
  makeWorkspace,
  notedWorkspaces,
  principalOf,
} from '../support/workspaces/workspaces.ts';

const ROUNDS = Number(process.env.ALMANAC_RACES ?? 15);

interface Person {
  readonly id: string;
  readonly email: string;
}

interface Scene {
  readonly database: Database;
  readonly context: WorkspaceContext & { readonly mails: readonly string[] };
  person(): Promise<Person>;
}

/** Enough connections that all who race are under way at the same time. */
async function openWide(fixture: TestDatabase): Promise<Scene> {
  const database = await openDatabase({ ...fixture.location, poolSize: 50 });
  fixture.cleanup(() => database.close());
  const identity = movableIdentity(database);
  return {
    database,
    context: notedWorkspaces(identity),
    person: () => makeAccount(identity, { password: null }),
  };
}

/** What became of it: `done`, or the code of the refusal. Whatever else is thrown is a fault of ours. */
function outcome(attempt: Promise<unknown>): Promise<string> {
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
    const scene = await openWide(fixture);
    await body(scene);
    await assertOwned(scene.database);
  });
}

race('two transfers at once: one wins, and there is one owner', async ({ database, context, person }) => {
  const [owner, one, two] = [await person(), await person(), await person()];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const places = [await makeMember(database, id, one.id), await makeMember(database, id, two.id)];
    const transfers = places.map((collaboratorId) =>
      outcome(transferWorkspace(context, principalOf(owner), id, { collaboratorId })),
    );
    const outcomes = await Promise.all(round % 2 ? transfers : transfers.toReversed());
    assert.deepEqual(outcomes.toSorted(), ['WORKSPACE_DENIED', 'done']);
    assert.equal((await findMembership(database, owner.id, id))?.role, 'editor');
    await assertOwned(database);
    await forget(database, id);
  }
});

race('a transfer and the removal of the same member: one outcome', async ({ database, context, person }) => {
  const [owner, member] = [await person(), await person()];
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const place = await makeMember(database, id, member.id);
    const by = round % 3 === 0 ? member : owner;
    const deeds = [
      () => outcome(transferWorkspace(context, principalOf(owner), id, { collaboratorId: place })),
      () => outcome(removeCollaborator(context, principalOf(by), id, place)),
    ];
    const [first, second] = await Promise.all((round % 2 ? deeds : deeds.toReversed()).map((deed) => deed()));
    const [transfer, removal] = round % 2 ? [first, second] : [second, first];
    seen.add(`${transfer} ${removal}`);
    const role = (await findMembership(database, member.id, id))?.role ?? 'gone';
    if (transfer === 'done') {
      // Who leaves is told that it owns the workspace now; who was the owner may remove nobody any more.
      assert.deepEqual([removal, role], [by === member ? 'CONFLICT' : 'WORKSPACE_DENIED', 'owner']);
    } else assert.deepEqual([transfer, removal, role], ['NOT_FOUND', 'done', 'gone']);
    await assertOwned(database);
    await forget(database, id);
  }
  assert.ok(seen.size > 1, `both came first at times: ${[...seen]}`);
});

race('an invitation is redeemed fifty times at once: one joins', async ({ database, context, person }) => {
  const [owner, invited] = [await person(), await person()];
  for (let round = 0; round < 3; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const invitationId = await inviteByHand(database, { workspaceId: id, by: owner, email: invited.email });
    const tries = Array.from({ length: 50 }, () =>
      outcome(redeemInvitation(context, principalOf(invited), { id: invitationId })),
    );
    const outcomes = await Promise.all(tries);
    assert.deepEqual(outcomes.toSorted(), ['done', ...Array<string>(49).fill('over')]);
    const membership = await findMembership(database, invited.id, id);
    assert.deepEqual([membership?.role, membership?.collaboratorId], ['editor', invitationId], 'it keeps its id');
  }
});

race('an invitation is redeemed and taken back at once: one outcome', async ({ database, context, person }) => {
  const [owner, invited] = [await person(), await person()];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const invitationId = await inviteByHand(database, { workspaceId: id, by: owner, email: invited.email });
    const [redeemed, removed] = await Promise.all([
      outcome(redeemInvitation(context, principalOf(invited), { id: invitationId })),
      outcome(removeCollaborator(context, principalOf(owner), id, invitationId)),
    ]);
    // Who has joined just before is removed as a member: the id is the same.
    assert.equal(removed, 'done');
    assert.ok(redeemed === 'done' || redeemed === 'over', redeemed);
    assert.equal(await findMembership(database, invited.id, id), null);
    await forget(database, id);
  }
});

race('one address is added many times at once: one place, one mail', async ({ database, context, person }) => {
  const owner = await person();
  for (const email of [(await person()).email, 'nobody.yet@example.org']) {
    const { id } = await makeWorkspace(database, owner.id);
    const before = context.mails.length;
    const add = () => addCollaborator(context, principalOf(owner), id, { email, role: 'viewer', scope: {} });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(add())));
    assert.deepEqual(outcomes.toSorted(), [...Array<string>(19).fill('CONFLICT'), 'done']);
    const collaborators = await listCollaborators(context, principalOf(owner), id);
    assert.deepEqual(
      collaborators.map((collaborator) => collaborator.email).toSorted(),
      [owner.email, email].toSorted(),
    );
    assert.equal(context.mails.length - before, 1);
  }
});

race('a workspace is deleted while people come, go and are given it', async ({ database, context, person }) => {
  const people = await Promise.all(Array.from({ length: 4 }, () => person()));
  const [owner, member, invited, other] = people as [Person, Person, Person, Person];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    const place = await makeMember(database, id, member.id);
    const invitationId = await inviteByHand(database, { workspaceId: id, by: owner, email: invited.email });
    const as = principalOf(owner);
    const [deleted, ...others] = await Promise.all([
      outcome(deleteWorkspace(context, as, id)),
      outcome(transferWorkspace(context, as, id, { collaboratorId: place })),
      outcome(redeemInvitation(context, principalOf(invited), { id: invitationId })),
      outcome(addCollaborator(context, as, id, { email: other.email, role: 'viewer', scope: {} })),
      outcome(removeCollaborator(context, principalOf(member), id, place)),
    ]);
    const expected = ['done', 'over', 'WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'];
    for (const one of others) assert.ok(expected.includes(one), one);
    const left = await database
      .query<WorkspaceTables>()
      .selectFrom('workspace')
      .select('owner_account_id')
      .where('id', '=', id)
      .executeTakeFirst();
    // It is gone, or it was given away just before.
    if (deleted === 'done') assert.equal(left, undefined);
    else assert.deepEqual([deleted, left?.owner_account_id], ['WORKSPACE_DENIED', member.id]);
    await forget(database, id);
    await database.query<WorkspaceTables>().deleteFrom('workspace_invitation').execute();
  }
});

/** An invitation as it is stored, without the mail. @returns its id */
async function inviteByHand(
  database: Database,
  { workspaceId, by, email }: { readonly workspaceId: string; readonly by: Person; readonly email: string },
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

/** An account can own only so many. */
async function forget(database: Database, workspaceId: string): Promise<void> {
  await database.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
}
