import type { CollaboratorRole, ResourceScopeMode, Role } from '../contract/index.ts';

export interface WorkspaceTable {
  id: string;
  name: string;
  slug: string;
  owner_account_id: string;
  legacy_personal: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface WorkspaceMemberTable {
  id: string;
  workspace_id: string;
  account_id: string;
  role: Role;
  csv_scope_mode: ResourceScopeMode;
  csv_scope_ids: string[];
  forecasts_scope_mode: ResourceScopeMode;
  forecasts_scope_ids: string[];
  created_at: Date;
}

/** A collaborator that was added: by an invitation that is still open, or immediately. */
export interface WorkspaceInvitationTable {
  /** The collaborator's id, which a member keeps after accepting. */
  id: string;
  kind: 'invitation' | 'addition';
  /** Null after the workspace was deleted. */
  workspace_id: string | null;
  email: string;
  role: CollaboratorRole;
  csv_scope_mode: ResourceScopeMode;
  csv_scope_ids: string[];
  forecasts_scope_mode: ResourceScopeMode;
  forecasts_scope_ids: string[];
  added_by: string;
  /** Null until the mail is sent: the secret is generated for the mail and stored nowhere. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the mail was last claimed for sending. */
  sent_at: Date | null;
  /** When it was accepted or removed. Set from the start for an addition, which needs no answer. */
  ended_at: Date | null;
}

export interface WorkspaceTables {
  workspace: WorkspaceTable;
  workspace_member: WorkspaceMemberTable;
  workspace_invitation: WorkspaceInvitationTable;
}
