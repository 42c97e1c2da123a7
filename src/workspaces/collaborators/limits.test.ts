import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import {
  makeMember,
  makeWorkspace,
  principalOf,
  recordMailRequests,
} from '../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { Fault, MAX_COLLABORATORS } from '../../contract/index.ts';
import type { Database } from '../../platform/index.ts';
import {
  acceptInvitation,
  addCollaborator,
  deleteWorkspace,
  findMembership,
  listCollaborators,
  MAX_JOINED_WORKSPACES,
  removeCollaborator,
} from '../index.ts';

const options = { migrations: MIGRATIONS };

async function openScene(database: Database) {
  const identity = movableIdentity(database);
  const context = recordMailRequests(identity);
  const owner = principalOf(await makeAccount(identity, { password: null }));
  const { id: workspaceId } = await makeWorkspace(database, owner.accountId);
  let invited = 0;
  const add = (email = `person-${++invited}@example.org`, to = workspaceId) =>
    addCollaborator(context, owner, to, { email, role: 'viewer', scope: {} });
  return { identity, context, owner, workspaceId, add };
}

async function catchFault(attempt: Promise<unknown>): Promise<Fault> {
  const fault = await attempt.then(
    () => null,
    (error) => error,
  );
  assert.ok(fault instanceof Fault, String(fault));
  return fault;
}

forEachDatabase(
  'allows fifty invitations an hour for a workspace, including withdrawn ones',
  options,
  async ({ database }) => {
    const { identity, context, owner, workspaceId, add } = await openScene(database);
    for (let i = 0; i < 50; i++) {
      const { collaborator_id } = await add();
      if (i % 2) await removeCollaborator(context, owner, workspaceId, collaborator_id);
      if (i === 9) identity.clock.advance(10 * MINUTE);
    }
    const { code, details } = await catchFault(add());
    assert.deepEqual(
      [code, details.retryAfter],
      ['RATE_LIMITED', 50 * 60],
      'until the first invitation is an hour old',
    );
    assert.equal(context.mails.length, 50);
    identity.clock.advance(50 * MINUTE);
    for (let i = 0; i < 10; i++) await add();
    assert.equal((await catchFault(add())).code, 'RATE_LIMITED');
  },
);

forEachDatabase(
  'allows a hundred invitations an hour by one account over all its workspaces',
  options,
  async ({ database }) => {
    const { context, owner, add } = await openScene(database);
    for (let i = 0; i < 100; ) {
      const { id } = await makeWorkspace(database, owner.accountId);
      for (let n = 0; n < 25; n++, i++) await add(undefined, id);
      // Deleting the workspace does not reset the count.
      await deleteWorkspace(context, owner, id);
    }
    assert.equal((await catchFault(add())).code, 'RATE_LIMITED');
  },
);

forEachDatabase('allows a hundred members and open invitations in a workspace', options, async ({ database }) => {
  const { identity, context, owner, workspaceId, add } = await openScene(database);
  for (let i = 0; i < MAX_COLLABORATORS - 2; i++) {
    const { id } = await makeAccount(identity, { password: null });
    await makeMember(database, workspaceId, id);
  }
  const { email } = await makeAccount(identity, { password: null });
  await add(email);
  const { collaborator_id } = await add();
  assert.equal((await catchFault(add())).code, 'LIMIT_REACHED');
  await removeCollaborator(context, owner, workspaceId, collaborator_id);
  await add();
  assert.equal((await catchFault(add(undefined))).code, 'LIMIT_REACHED');
  // Expired invitations do not count.
  identity.clock.advance(14 * DAY);
  for (let i = 0; i < 2; i++) await add();
  assert.equal((await listCollaborators(context, owner, workspaceId)).length, MAX_COLLABORATORS + 1);
});

forEachDatabase('invites an address again after its invitation has expired', options, async ({ database }) => {
  const { identity, context, owner, workspaceId, add } = await openScene(database);
  const first = await add('late@example.org');
  identity.clock.advance(14 * DAY - 1);
  assert.equal((await catchFault(add('late@example.org'))).code, 'CONFLICT');
  identity.clock.advance(1);
  assert.deepEqual(
    (await listCollaborators(context, owner, workspaceId)).filter(({ kind }) => kind === 'invitation'),
    [],
  );
  assert.equal(
    (await catchFault(removeCollaborator(context, owner, workspaceId, first.collaborator_id))).code,
    'NOT_FOUND',
  );
  const second = await add('late@example.org');
  assert.notEqual(second.collaborator_id, first.collaborator_id);
  const { id, email } = await makeAccount(identity, { email: 'late@example.org', password: null });
  assert.equal(await acceptInvitation(context, principalOf({ id, email }), { id: first.collaborator_id }), null);
  assert.ok(await acceptInvitation(context, principalOf({ id, email }), { id: second.collaborator_id }));
});

forEachDatabase('allows an account to join eighty workspaces of other owners', options, async ({ database }) => {
  const { identity, context, owner, add } = await openScene(database);
  const person = await makeAccount(identity, { password: null });
  const otherOwner = await makeAccount(identity, { password: null });
  await database.transaction(async (tx) => {
    for (let i = 0; i < MAX_JOINED_WORKSPACES - 1; i++) {
      await makeMember(tx, (await makeWorkspace(tx, otherOwner.id)).id, person.id);
    }
  });
  const { id: other } = await makeWorkspace(database, owner.accountId);
  const accept = async ({ collaborator_id: id }: { collaborator_id: string }) =>
    acceptInvitation(context, principalOf(person), { id });
  assert.ok(await accept(await add(person.email, other)));
  // The owner can invite the account and does not learn that it has reached a limit.
  const beyond = await add(person.email);
  const { code, message } = await catchFault(accept(beyond));
  assert.equal(code, 'LIMIT_REACHED');
  assert.match(message, /Your account is a member of 80 workspaces of other owners/);
  await removeCollaborator(
    context,
    principalOf(person),
    other,
    (await findMembership(database, person.id, other))?.collaboratorId ?? '',
  );
  assert.ok(await accept(beyond), 'the invitation stays open');
});
