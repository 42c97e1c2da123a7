import { acceptInvitation, declineInvitation, invitationNotFound, listInvitations } from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';

export const invitationHandlers = {
  async listInvitations(call) {
    const { invitations, nextCursor } = await listInvitations(call.parts.workspaces, accountOf(call), call.query);
    return { invitations, next_cursor: nextCursor };
  },

  async acceptInvitation(call) {
    const key = { id: call.params.invitation_id };
    const accepted = await acceptInvitation(call.parts.workspaces, accountOf(call), key);
    if (accepted === null) throw invitationNotFound();
    return { invitation_id: accepted.id, workspace_id: accepted.workspaceId, accepted: true as const };
  },

  async declineInvitation(call) {
    const key = { id: call.params.invitation_id };
    const declined = await declineInvitation(call.parts.workspaces, accountOf(call), key);
    if (declined === null) throw invitationNotFound();
    return { invitation_id: declined.id, workspace_id: declined.workspaceId, declined: true as const };
  },
} satisfies Partial<Handlers>;
