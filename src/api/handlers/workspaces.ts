import {
  addCollaborator,
  createWorkspace,
  deleteWorkspace,
  listCollaborators,
  listVisibleMemberships,
  readTransfer,
  readWorkspace,
  readWorkspaceContents,
  removeCollaborator,
  transferWorkspace,
  updateCollaborator,
  updateWorkspace,
  withdrawTransfer,
} from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';

export const workspaceHandlers = {
  async listWorkspaces(call) {
    return { workspaces: await listVisibleMemberships(call.parts.workspaces, accountOf(call).accountId) };
  },

  async createWorkspace(call) {
    return createWorkspace(call.parts.workspaces, accountOf(call), call.body);
  },

  async readWorkspace(call) {
    return readWorkspace(call.parts.workspaces, accountOf(call), call.params.workspace_id);
  },

  async renameWorkspace(call) {
    const { name, member_credits: memberCredits } = call.body;
    const change = { name, memberCredits };
    return updateWorkspace(call.parts.workspaces, accountOf(call), call.params.workspace_id, change);
  },

  async readWorkspaceContents(call) {
    return readWorkspaceContents(call.parts.workspaces, accountOf(call), call.params.workspace_id);
  },

  async deleteWorkspace(call) {
    const id = await deleteWorkspace(call.parts.workspaces, accountOf(call), call.params.workspace_id);
    return { id, removed: true as const };
  },

  async transferWorkspace(call) {
    return transferWorkspace(call.parts.workspaces, accountOf(call), call.params.workspace_id, {
      collaboratorId: call.body.collaborator_id,
    });
  },

  async readTransfer(call) {
    return readTransfer(call.parts.workspaces, accountOf(call), call.params.workspace_id);
  },

  async withdrawTransfer(call) {
    const { workspaces } = call.parts;
    const withdrawn = await withdrawTransfer(workspaces, accountOf(call), call.params.workspace_id);
    return { invitation_id: withdrawn.invitationId, workspace_id: withdrawn.workspaceId, removed: true as const };
  },

  async listCollaborators(call) {
    const { parts, params } = call;
    return { collaborators: await listCollaborators(parts.workspaces, accountOf(call), params.workspace_id) };
  },

  async addCollaborator(call) {
    const { email, role, resource_scope: scope = {} } = call.body;
    return addCollaborator(call.parts.workspaces, accountOf(call), call.params.workspace_id, { email, role, scope });
  },

  async updateCollaborator(call) {
    const { parts, params } = call;
    const { role, resource_scope: scope } = call.body;
    const change = { role, scope };
    return updateCollaborator(parts.workspaces, accountOf(call), params.workspace_id, params.collaborator_id, change);
  },

  async removeCollaborator(call) {
    const { workspace_id, collaborator_id } = call.params;
    const workspaceId = await removeCollaborator(call.parts.workspaces, accountOf(call), workspace_id, collaborator_id);
    return { collaborator_id, workspace_id: workspaceId, removed: true as const };
  },
} satisfies Partial<Handlers>;
