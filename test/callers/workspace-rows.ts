import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/index.ts';
import { DAILY_CSV } from '../support/workspaces/csv-files.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import { type Answers, accountsWith, byMembership, DENIED } from './answers.ts';
import { all, type Cell, listing, OF_MEMBERS, ofOwner, onFile, type Request, type Row } from './row.ts';

const READING_WORKSPACE: Answers = { ...accountsWith('workspaces:read', 200), ...OF_MEMBERS };
const changingWorkspace = (success: number): Answers => ({
  ...accountsWith('workspaces:write', success),
  ...ofOwner(success),
});

const READING_FILE: Answers = {
  ...accountsWith('workspaces:read', 200),
  ...byMembership({ owner: 200, editor: onFile(200), viewer: onFile(200), others: DENIED }),
};

/** The operations on workspaces and their files. */
export const WORKSPACE_ROWS = {
  listWorkspaces: { answers: accountsWith('workspaces:read', 200) },
  createWorkspace: {
    answers: accountsWith('workspaces:write', 201),
    request: () => ({ body: { name: 'Created by a test' } }),
  },
  readWorkspace: { answers: READING_WORKSPACE },
  renameWorkspace: {
    answers: changingWorkspace(200),
    request: () => ({ body: { name: 'Another name', member_credits: 5 } }),
  },
  readWorkspaceContents: { answers: { ...accountsWith('workspaces:read', 200), ...ofOwner(200) } },
  deleteWorkspace: { answers: changingWorkspace(200), consumes: 'scene' },
  transferWorkspace: {
    answers: changingWorkspace(200),
    request: ({ scene }) => ({ body: { collaborator_id: scene.collaborator } }),
  },
  readTransfer: { answers: { ...accountsWith('workspaces:read', 200), ...ofOwner(200) }, request: openTransfer },
  withdrawTransfer: { answers: changingWorkspace(200), request: openTransfer },
  listCollaborators: { answers: READING_WORKSPACE },
  addCollaborator: {
    answers: changingWorkspace(201),
    request: () => ({ body: { email: `${randomUUID()}@example.org`, role: 'viewer' } }),
  },
  updateCollaborator: { answers: changingWorkspace(200), request: () => ({ body: { role: 'editor' } }) },
  removeCollaborator: { answers: changingWorkspace(200), consumes: 'scene' },

  listCsvFiles: {
    answers: {
      ...accountsWith('workspaces:read', 200),
      ...byMembership({ owner: 200, editor: listing(200), viewer: listing(200), others: DENIED }),
    },
  },
  uploadCsvFile: {
    answers: {
      ...accountsWith('workspaces:write', 201),
      ...byMembership({ owner: 201, editor: listing(201), viewer: all(DENIED), others: DENIED }),
    },
    request: () => ({ query: '?name=daily.csv', file: DAILY_CSV }),
  },
  readCsvFile: { answers: READING_FILE },
  readCsvSeries: {
    answers: READING_FILE,
    request: () => ({ query: '?time_field=date&value_field=value' }),
  },
  downloadCsvFile: { answers: READING_FILE },
  deleteCsvFile: {
    answers: {
      ...accountsWith('workspaces:write', 200),
      ...byMembership({ owner: 200, editor: onFile(200), viewer: all(DENIED), others: DENIED }),
    },
    consumes: 'scene',
  },
} satisfies Partial<Record<OperationId, Row>>;

/** Opens a transfer of the workspace to the member of the scene. */
async function openTransfer({ identity, scene }: Cell): Promise<Request> {
  const { workspace, collaborator: memberId } = scene;
  await makeInvitation(identity.database, { workspaceId: workspace.id, email: 'next@example.org', memberId });
  return {};
}
