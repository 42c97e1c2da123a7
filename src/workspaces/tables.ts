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

/** A collaborator that was invited, or an account that was added immediately. */
export interface WorkspaceInvitationTable {
  /** The id of the collaborator, which stays the same when the invitation is accepted. */
  id: string;
  kind: 'invitation' | 'addition';
  /** Null if the workspace was deleted. */
  workspace_id: string | null;
  email: string;
  role: CollaboratorRole;
  csv_scope_mode: ResourceScopeMode;
  csv_scope_ids: string[];
  forecasts_scope_mode: ResourceScopeMode;
  forecasts_scope_ids: string[];
  added_by: string;
  /** Null until the email is sent: the secret is generated for the email, and only its hash is stored. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the latest attempt to send the email began. */
  sent_at: Date | null;
  /**
   * When the invitation was accepted, removed or replaced. For an addition, which needs no acceptance, the time when the
   * row was created.
   */
  ended_at: Date | null;
}

export interface WorkspaceTables {
  workspace: WorkspaceTable;
  workspace_member: WorkspaceMemberTable;
  workspace_invitation: WorkspaceInvitationTable;
}
