import type { OperationId } from '../../src/contract/index.ts';
import type { PageCaller } from './page-callers.ts';
import { type PageRow, prepare } from './page-row.ts';

/** A page about the workspace of a scene. */
const ofWorkspace = (path: string, operation: OperationId, more: Partial<PageRow> = {}): PageRow => ({
  path: `/workspaces/:slug${path}`,
  address: ({ scene }) =>
    `/workspaces/${scene.workspace.slug}${path.replace(':collaborator', scene.collaborator).replace(':file', scene.csv)}`,
  operation,
  isOfWorkspace: true,
  ...more,
});

/** A page about a webhook of the workspace, to which something was sent. */
const ofWebhook = (path: string, operation: OperationId): PageRow =>
  ofWorkspace(`/webhooks/:id${path}`, operation, {
    address: async (cell) => {
      const id = await prepare(cell, 'replayWorkspaceWebhookDelivery', 'webhook_id');
      return `/workspaces/${cell.scene.workspace.slug}/webhooks/${id}${path}`;
    },
  });

/** The callers that own the workspace of their scene. */
const OWNERS: readonly PageCaller[] = [
  'free account by session',
  'pro account by session',
  'verified free administrator by key',
  'owner',
];

/** The pages of workspaces and their files. */
export const WORKSPACE_PAGE_ROWS: readonly PageRow[] = [
  { path: '/workspaces', operation: 'listWorkspaces' },
  {
    path: '/workspaces',
    name: 'an invitation',
    address: async (cell) => {
      await prepare(cell, 'acceptInvitation');
      return '/workspaces';
    },
    operation: 'listInvitations',
  },
  ofWorkspace('', 'readWorkspace'),
  ofWorkspace('/invite', 'addCollaborator'),
  ofWorkspace('/members/:collaborator', 'updateCollaborator'),
  ofWorkspace('/members/:collaborator/remove', 'removeCollaborator'),
  // Every member can leave, except the owner.
  ofWorkspace('/leave', 'readWorkspace', { statuses: Object.fromEntries(OWNERS.map((name) => [name, 409])) }),
  ofWorkspace('/settings', 'renameWorkspace'),
  ofWorkspace('/transfer', 'transferWorkspace'),
  ofWorkspace('/transfer', 'withdrawTransfer', {
    name: 'an open transfer',
    address: async (cell) => {
      await prepare(cell, 'withdrawTransfer');
      return `/workspaces/${cell.scene.workspace.slug}/transfer`;
    },
    changesScene: true,
  }),
  ofWorkspace('/webhooks', 'listWorkspaceWebhooks'),
  ofWebhook('', 'readWorkspaceWebhook'),
  ofWebhook('/rotate', 'rotateWorkspaceWebhook'),
  ofWebhook('/delete', 'deleteWorkspaceWebhook'),
  ofWorkspace('/delete', 'deleteWorkspace'),

  { path: '/files', operation: 'listWorkspaces' },
  ofWorkspace('/files', 'listCsvFiles'),
  ofWorkspace('/files/:file', 'readCsvFile'),
  ofWorkspace('/files/:file/delete', 'deleteCsvFile'),
];
