import assert from 'node:assert/strict';
import { makeAccount } from '../../test/support/identity/callers.ts';
import { movableIdentity } from '../../test/support/identity/identity.ts';
import { countUses } from '../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import {
  makeMember,
  makeWorkspace,
  principalOf,
  recordMailRequests,
} from '../../test/support/workspaces/workspaces.ts';
import type { Account } from '../access/index.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { Fault } from '../contract/index.ts';
import {
  addCollaborator,
  deleteWorkspace,
  listCollaborators,
  readTransfer,
  readWorkspace,
  removeCollaborator,
  transferWorkspace,
  updateCollaborator,
  updateWorkspace,
  type WorkspaceContext,
  withdrawTransfer,
} from './index.ts';

type Operation = (
  context: WorkspaceContext,
  account: Account,
  workspace: string,
  collaborator: string,
) => Promise<unknown>;

const OPERATIONS: Record<string, Operation> = {
  readWorkspace: (context, account, workspace) => readWorkspace(context, account, workspace),
  updateWorkspace: (context, account, workspace) => updateWorkspace(context, account, workspace, { name: 'x' }),
  deleteWorkspace: (context, account, workspace) => deleteWorkspace(context, account, workspace),
  transferWorkspace: (context, account, workspace, collaboratorId) =>
    transferWorkspace(context, account, workspace, { collaboratorId }),
  readTransfer: (context, account, workspace) => readTransfer(context, account, workspace),
  withdrawTransfer: (context, account, workspace) => withdrawTransfer(context, account, workspace),
  listCollaborators: (context, account, workspace) => listCollaborators(context, account, workspace),
  addCollaborator: (context, account, workspace) =>
    addCollaborator(context, account, workspace, { email: 'a@example.org', role: 'viewer', scope: {} }),
  updateCollaborator: (context, account, workspace, collaborator) =>
    updateCollaborator(context, account, workspace, collaborator, { role: 'viewer' }),
  removeCollaborator: (context, account, workspace, collaborator) =>
    removeCollaborator(context, account, workspace, collaborator),
};

forEachDatabase(
  'refuses a caller without a membership by one statement and one message, whether or not the workspace exists',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const owner = await makeAccount(identity, { password: null });
    const member = await makeAccount(identity, { password: null });
    const stranger = await makeAccount(identity, { password: null });
    const { id, slug } = await makeWorkspace(database, owner.id);
    const collaborator = await makeMember(database, id, member.id);
    const unknownCollaborator = 'col_00000000000000000000000000';
    const account = principalOf(stranger);
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      const seen: string[] = [];
      for (const [workspace, collaboratorId] of [
        [id, collaborator],
        [slug, collaborator],
        [id, unknownCollaborator],
        ['ws_00000000000000000000000000', unknownCollaborator],
        ['no-such-slug', unknownCollaborator],
      ] as const) {
        const counted = countUses(database);
        const context = { ...recordMailRequests(identity), database: counted.database };
        const refusal = await operation(context, account, workspace, collaboratorId).then(
          () => 'done',
          (error) => (error instanceof Fault ? `${error.code} ${error.message}` : String(error)),
        );
        seen.push(`${counted.uses()} ${refusal}`);
      }
      const expected = 'WORKSPACE_DENIED The workspace does not exist, or you are not a member of it.';
      assert.deepEqual([...new Set(seen)], [`1 ${expected}`], name);
    }
  },
);
