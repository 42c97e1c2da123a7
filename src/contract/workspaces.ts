import { z } from 'zod';
import { WorkspaceMembership } from './access.ts';
import { email, identifier, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { COLLABORATOR_ROLES, RESOURCE_SCOPE_MODES } from './vocabulary.ts';
import { Collaborator, PendingTransfer, WorkspaceContents } from './workspace-views.ts';

/** Maximum number of ids in one resource scope. */
export const MAX_SCOPE_IDS = 1_000;

/** Maximum number of members and open invitations of one workspace, not counting the owner. */
export const MAX_COLLABORATORS = 100;

const workspaceName = () => name({ max: 80 });

/** Maximum value of `member_credits`. Larger numbers would not fit into the column. */
const MAX_MEMBER_CREDITS = 1_000_000_000;

const MEMBER_CREDITS_RULE = `must be a whole number from 0 to ${MAX_MEMBER_CREDITS}, or null`;

const memberCredits = () =>
  z
    .int({ error: MEMBER_CREDITS_RULE, abort: true })
    .min(0, { error: MEMBER_CREDITS_RULE })
    .max(MAX_MEMBER_CREDITS, { error: MEMBER_CREDITS_RULE });

const ids = z
  .array(text({ max: 100 }))
  .max(MAX_SCOPE_IDS)
  .refine((list) => new Set(list).size === list.length, { error: 'must not contain an id twice' });

/** The files or the forecasts that a collaborator can reach. */
const ScopeChoice = z
  .strictObject({ mode: z.enum(RESOURCE_SCOPE_MODES), ids: ids.optional() })
  .refine(({ mode, ids: listed }) => mode !== 'selected' || listed !== undefined, {
    path: ['ids'],
    error: 'is required with the mode selected',
  })
  .refine(({ mode, ids: listed = [] }) => mode === 'selected' || listed.length === 0, {
    path: ['ids'],
    error: 'is only allowed with the mode selected',
  });

export const ResourceScopeChoice = z
  .strictObject({ csv: ScopeChoice.optional(), forecasts: ScopeChoice.optional() })
  .meta({ id: 'ResourceScopeChoice' });

/** A workspace, which a transfer does not change before it is accepted, with the transfer. */
const OfferedWorkspace = z
  .strictObject({ ...WorkspaceMembership.shape, transfer: PendingTransfer })
  .meta({ id: 'OfferedWorkspace' });

const PATH = '/v1/workspaces';
const ONE = `${PATH}/{workspace_id}` as const;
const COLLABORATORS = `${ONE}/collaborators` as const;

const byId = z.strictObject({ workspace_id: identifier() });
/** Two lists of 1,000 ids or slugs take 201 KiB. */
const COLLABORATOR_BODY = { bytes: 256 * 1024 } as const;
const byCollaborator = z.strictObject({ workspace_id: identifier(), collaborator_id: identifier() });

export const workspaceOperations = {
  listWorkspaces: operation({
    group: 'Workspaces',
    method: 'GET',
    path: PATH,
    action: 'workspace.list',
    summary: 'List workspaces',
    description:
      'Lists all workspaces of the caller, oldest first, with the caller’s role, permissions and resource scope.',
    status: 200,
    reply: resource(z.strictObject({ workspaces: z.array(WorkspaceMembership) })),
  }),
  createWorkspace: operation({
    group: 'Workspaces',
    method: 'POST',
    path: PATH,
    action: 'workspace.create',
    summary: 'Create a workspace',
    description:
      'The caller becomes the owner. The slug is derived from the name and stays the same when the workspace is renamed.',
    body: z.strictObject({ name: workspaceName() }),
    status: 201,
    reply: resource(WorkspaceMembership),
    errors: ['LIMIT_REACHED'],
  }),
  readWorkspace: operation({
    group: 'Workspaces',
    method: 'GET',
    path: ONE,
    action: 'workspace.read',
    summary: 'Read a workspace',
    description:
      'Returns the workspace with the caller’s role, permissions and resource scope. Every workspace path accepts the id or the slug.',
    params: byId,
    status: 200,
    reply: resource(WorkspaceMembership),
    errors: ['WORKSPACE_DENIED'],
  }),
  // Clients depend on this id, which is from when only the name could be changed.
  renameWorkspace: operation({
    group: 'Workspaces',
    method: 'PATCH',
    path: ONE,
    action: 'workspace.update',
    summary: 'Update a workspace',
    description:
      'Changes the name or `member_credits`, the credits that each member other than the owner can use in this workspace in a calendar month (UTC). Null removes this limit. Omitted fields stay unchanged.',
    params: byId,
    body: z
      .strictObject({
        name: workspaceName().optional(),
        member_credits: memberCredits().nullable().optional(),
      })
      .refine((change) => change.name !== undefined || change.member_credits !== undefined, {
        error: 'must contain a name or member_credits',
      }),
    status: 200,
    reply: resource(WorkspaceMembership),
    errors: ['WORKSPACE_DENIED'],
  }),
  readWorkspaceContents: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${ONE}/contents`,
    action: 'workspace.read_contents',
    summary: 'Count what is in a workspace',
    description:
      'Returns how many files, forecasts, event forecasts, members and invitations are deleted with the workspace, and how much it stores. Only the owner can read it.',
    params: byId,
    status: 200,
    reply: resource(WorkspaceContents),
    errors: ['WORKSPACE_DENIED'],
  }),
  deleteWorkspace: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: ONE,
    action: 'workspace.delete',
    summary: 'Delete a workspace',
    description:
      'Only the owner can delete a workspace. Its files, forecasts, memberships and invitations are deleted with it. Queued and running forecasts are canceled first and cost no credits. The personal workspace cannot be deleted.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['WORKSPACE_DENIED', 'CONFLICT'],
  }),
  transferWorkspace: operation({
    group: 'Workspaces',
    method: 'POST',
    path: `${ONE}/transfer`,
    action: 'workspace.transfer',
    summary: 'Offer a workspace to a member',
    description:
      'Only the owner can transfer a workspace. The member gets an invitation and an email, and nothing changes until the member accepts. Then the member is the owner, and the previous owner becomes an editor with access to everything. The invitation expires after 14 days. Another transfer replaces one that is still open. The personal workspace cannot be transferred.',
    params: byId,
    body: z.strictObject({ collaborator_id: identifier() }),
    status: 200,
    reply: resource(OfferedWorkspace),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED'],
  }),
  readTransfer: operation({
    group: 'Workspaces',
    method: 'GET',
    path: `${ONE}/transfer`,
    action: 'workspace.read_transfer',
    summary: 'Read the open transfer',
    description: 'Only the owner can read the open transfer of a workspace.',
    params: byId,
    status: 200,
    reply: resource(PendingTransfer),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
  withdrawTransfer: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: `${ONE}/transfer`,
    action: 'workspace.transfer',
    summary: 'Withdraw the open transfer',
    description: 'Only the owner can withdraw a transfer. The member can no longer accept it.',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ invitation_id: z.string(), workspace_id: z.string(), removed: z.literal(true) })),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
  }),
  listCollaborators: operation({
    group: 'Workspaces',
    method: 'GET',
    path: COLLABORATORS,
    action: 'members.read',
    summary: 'List members and open invitations',
    params: byId,
    status: 200,
    reply: resource(z.strictObject({ collaborators: z.array(Collaborator) })),
    errors: ['WORKSPACE_DENIED'],
  }),
  addCollaborator: operation({
    group: 'Workspaces',
    method: 'POST',
    path: COLLABORATORS,
    action: 'members.manage',
    summary: 'Invite a collaborator by email address',
    description:
      'The address gets an invitation by email and becomes a member by accepting it, with the link in the email or with `POST /v1/me/invitations/{invitation_id}/accept`. The response is the same whether or not the address has an account. The invitation expires after 14 days. Without `resource_scope`, the collaborator can reach everything in the workspace.',
    params: byId,
    body: z.strictObject({
      email: email(),
      role: z.enum(COLLABORATOR_ROLES),
      resource_scope: ResourceScopeChoice.optional(),
    }),
    bodyLimit: COLLABORATOR_BODY,
    status: 201,
    reply: resource(Collaborator),
    errors: ['WORKSPACE_DENIED', 'CONFLICT', 'LIMIT_REACHED'],
  }),
  updateCollaborator: operation({
    group: 'Workspaces',
    method: 'PATCH',
    path: `${COLLABORATORS}/{collaborator_id}`,
    action: 'members.manage',
    summary: 'Update a collaborator',
    description:
      'Changes the role or the resource scope of a member or an invitation. Omitted fields stay unchanged, including those of the resource scope. The change applies from the next request on.',
    params: byCollaborator,
    body: z
      .strictObject({ role: z.enum(COLLABORATOR_ROLES).optional(), resource_scope: ResourceScopeChoice.optional() })
      .refine(({ role, resource_scope }) => role !== undefined || resource_scope !== undefined, {
        error: 'must contain a role or a resource_scope',
      }),
    bodyLimit: COLLABORATOR_BODY,
    status: 200,
    reply: resource(Collaborator),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'],
  }),
  removeCollaborator: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: `${COLLABORATORS}/{collaborator_id}`,
    action: 'members.manage',
    summary: 'Remove a collaborator',
    description:
      'Removes a member or withdraws an invitation. The change applies from the next request on. The account and its keys stay valid, and its forecasts and files stay in the workspace. Members can remove themselves. The owner cannot be removed.',
    params: byCollaborator,
    status: 200,
    reply: resource(
      z.strictObject({ collaborator_id: z.string(), workspace_id: z.string(), removed: z.literal(true) }),
    ),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'],
  }),
};
