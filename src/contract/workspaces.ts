import { z } from 'zod';
import { WorkspaceMembership } from './access.ts';
import { email, identifier, instant, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { COLLABORATOR_ROLES, RESOURCE_SCOPE_MODES, ROLES } from './vocabulary.ts';

/** So many things one resource scope can list. */
export const MAX_SCOPE_IDS = 1_000;

/** Members beside the owner, and open invitations, of one workspace. */
export const MAX_COLLABORATORS = 100;

const called = z.strictObject({ name: name({ max: 80 }) });

const ids = z
  .array(text({ max: 100 }))
  .max(MAX_SCOPE_IDS)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name a thing twice' });

/** What a collaborator may see of one kind of thing. */
const ScopeChoice = z
  .strictObject({ mode: z.enum(RESOURCE_SCOPE_MODES), ids: ids.optional() })
  .refine(({ mode, ids: listed }) => mode !== 'selected' || listed !== undefined, {
    path: ['ids'],
    error: 'must list what is selected',
  })
  .refine(({ mode, ids: listed = [] }) => mode === 'selected' || listed.length === 0, {
    path: ['ids'],
    error: 'can be given with the mode selected only',
  });

export const ResourceScopeChoice = z
  .strictObject({ csv: ScopeChoice.optional(), forecasts: ScopeChoice.optional() })
  .meta({ id: 'ResourceScopeChoice' });

export const Collaborator = z
  .strictObject({
    collaborator_id: z.string().describe('Kept when an invitation is accepted.'),
    kind: z.enum(['member', 'invitation']),
    user: z.strictObject({ id: z.string(), email: z.string() }).nullable().describe('Null for an invitation.'),
    email: z.string(),
    role: z.enum(ROLES),
    resource_scope: WorkspaceMembership.shape.resource_scope.describe(
      'Of others, who cannot manage members sees the ids that are in its own scope. Private forecasts of somebody else are not named.',
    ),
    created_at: instant(),
    expires_at: instant().nullable().describe('Of an invitation.'),
  })
  .meta({ id: 'Collaborator' });

const PATH = '/v1/workspaces';
const ONE = `${PATH}/{workspace_id}` as const;
const COLLABORATORS = `${ONE}/collaborators` as const;

const byId = z.strictObject({ workspace_id: identifier() });
const byCollaborator = z.strictObject({ workspace_id: identifier(), collaborator_id: identifier() });

export const workspaceOperations = {
  listWorkspaces: operation({
    group: 'Workspaces',
    method: 'GET',
    path: PATH,
    action: 'workspace.list',
    summary: 'Workspaces in which the caller has a place',
    description: 'Oldest first, each with the caller’s role, permissions and resource scope: all there are.',
    status: 200,
    reply: resource(z.strictObject({ workspaces: z.array(WorkspaceMembership) })),
  }),
  createWorkspace: operation({
    group: 'Workspaces',
    method: 'POST',
    path: PATH,
    action: 'workspace.create',
    summary: 'Make a workspace',
    description: 'The caller owns it. Its slug is made from the name and stays when the name changes.',
    body: called,
    status: 201,
    reply: resource(WorkspaceMembership),
    errors: ['LIMIT_REACHED'],
  }),
  readWorkspace: operation({
    group: 'Workspaces',
    method: 'GET',
    path: ONE,
    action: 'workspace.read',
    summary: 'A workspace and the caller’s place in it',
    description: 'By id or slug, as everywhere below.',
    params: byId,
    status: 200,
    reply: resource(WorkspaceMembership),
    errors: ['WORKSPACE_DENIED'],
  }),
  renameWorkspace: operation({
    group: 'Workspaces',
    method: 'PATCH',
    path: ONE,
    action: 'workspace.update',
    summary: 'Rename a workspace',
    params: byId,
    body: called,
    status: 200,
    reply: resource(WorkspaceMembership),
    errors: ['WORKSPACE_DENIED'],
  }),
  deleteWorkspace: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: ONE,
    action: 'workspace.delete',
    summary: 'Delete a workspace',
    description:
      'For the owner. Takes its files, forecasts, places and invitations with it; forecasts that wait or run are canceled first and cost nothing. The personal workspace stays.',
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
    summary: 'Give a workspace to one of its members',
    description:
      'For the owner, who stays as an editor of everything. The member must have a verified e-mail address. The personal workspace cannot be given away.',
    params: byId,
    body: z.strictObject({ collaborator_id: identifier() }),
    status: 200,
    reply: resource(WorkspaceMembership),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED'],
  }),
  listCollaborators: operation({
    group: 'Workspaces',
    method: 'GET',
    path: COLLABORATORS,
    action: 'members.read',
    summary: 'Members and open invitations',
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
    summary: 'Add somebody by e-mail address',
    description:
      'Who has an account with this address, verified, is a member at once and is told by mail. Anyone else gets an invitation by mail; its link works once, for seven days. Without `resource_scope` everything in the workspace is open to them.',
    params: byId,
    body: z.strictObject({
      email: email(),
      role: z.enum(COLLABORATOR_ROLES),
      resource_scope: ResourceScopeChoice.optional(),
    }),
    status: 201,
    reply: resource(Collaborator),
    errors: ['WORKSPACE_DENIED', 'CONFLICT', 'LIMIT_REACHED'],
  }),
  updateCollaborator: operation({
    group: 'Workspaces',
    method: 'PATCH',
    path: `${COLLABORATORS}/{collaborator_id}`,
    action: 'members.manage',
    summary: 'Change the role or the resource scope of a member or an invitation',
    description: 'What is left out stays, each part of the resource scope by itself. Effective with the next request.',
    params: byCollaborator,
    body: z
      .strictObject({ role: z.enum(COLLABORATOR_ROLES).optional(), resource_scope: ResourceScopeChoice.optional() })
      .refine(({ role, resource_scope }) => role !== undefined || resource_scope !== undefined, {
        error: 'must have a role or a resource_scope to change',
      }),
    status: 200,
    reply: resource(Collaborator),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'],
  }),
  removeCollaborator: operation({
    group: 'Workspaces',
    method: 'DELETE',
    path: `${COLLABORATORS}/{collaborator_id}`,
    action: 'members.manage',
    summary: 'Remove a member or take an invitation back',
    description:
      'Effective with the next request, in every process. The account and its keys stay valid, and what it made stays the workspace’s. Members can remove themselves. The owner cannot be removed.',
    params: byCollaborator,
    status: 200,
    reply: resource(
      z.strictObject({ collaborator_id: z.string(), workspace_id: z.string(), removed: z.literal(true) }),
    ),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT'],
  }),
};
