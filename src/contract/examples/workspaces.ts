import type { SomeExamples } from './example.ts';

const byId = { params: { workspace_id: '{{workspace_id}}' } } as const;
const byFile = { params: { workspace_id: '{{workspace_id}}', csv_id: '{{csv_id}}' } } as const;
const byMember = { params: { workspace_id: '{{workspace_id}}', collaborator_id: '{{collaborator_id}}' } } as const;

const VISITS = `date,visits
2026-01-01,118
2026-01-02,124
2026-01-03,97
2026-01-04,91
2026-01-05,130
2026-01-06,133
2026-01-07,127
2026-01-08,121
2026-01-09,129
2026-01-10,101
2026-01-11,95
2026-01-12,136
`;

/** Workspaces with their members and files, and the administration of accounts. */
export const WORKSPACE_EXAMPLES = {
  createWorkspace: { body: { name: 'Demand planning' }, keeps: { workspace_id: 'data.id' } },
  listWorkspaces: {},
  readWorkspace: byId,
  renameWorkspace: { ...byId, body: { name: 'Demand planning 2027', member_credits: 50 } },
  readWorkspaceContents: byId,
  listWorkspaceForecasts: { ...byId, query: { limit: 3 } },
  addCollaborator: {
    ...byId,
    body: { email: '{{member_email}}', role: 'viewer' },
    keeps: { collaborator_id: 'data.collaborator_id' },
  },
  listCollaborators: byId,
  updateCollaborator: { ...byMember, body: { role: 'editor' } },
  transferWorkspace: { ...byId, body: { collaborator_id: '{{collaborator_id}}' } },
  readTransfer: byId,
  withdrawTransfer: byId,
  removeCollaborator: byMember,

  uploadCsvFile: { ...byId, query: { name: 'visits.csv' }, file: VISITS, keeps: { csv_id: 'data.id' } },
  listCsvFiles: byId,
  readCsvFile: { ...byFile, query: { limit: 3 } },
  readCsvSeries: { ...byFile, query: { time_field: 'date', value_field: 'visits' } },
  downloadCsvFile: byFile,
  deleteCsvFile: byFile,
  deleteWorkspace: byId,

  listAccounts: { caller: 'administrator', query: { plan: 'pro', limit: 3 }, keeps: { user_id: 'data.users.0.id' } },
  readAccount: { caller: 'administrator', params: { user_id: '{{user_id}}' } },
  updateAccount: { caller: 'administrator', params: { user_id: '{{user_id}}' }, body: { plan: 'enterprise' } },
  readServiceState: { caller: 'administrator' },
  checkLedger: { caller: 'administrator' },
} as const satisfies SomeExamples;
