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

/** Somebody who was added: by an invitation that waits for its answer, or at once. */
export interface WorkspaceInvitationTable {
  /** That of the collaborator: who accepts keeps it as a member. */
  id: string;
  kind: 'invitation' | 'addition';
  /** Null once the workspace is gone. */
  workspace_id: string | null;
  email: string;
  role: CollaboratorRole;
  csv_scope_mode: ResourceScopeMode;
  csv_scope_ids: string[];
  forecasts_scope_mode: ResourceScopeMode;
  forecasts_scope_ids: string[];
  added_by: string;
  /** Null until the mail is sent: the secret is made for the mail, and is nowhere else. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the mail was last handed to the mail server. */
  sent_at: Date | null;
  /** When it was accepted or taken back. Somebody who was added at once has nothing to accept. */
  ended_at: Date | null;
}

export interface WorkspaceTables {
  workspace: WorkspaceTable;
  workspace_member: WorkspaceMemberTable;
  workspace_invitation: WorkspaceInvitationTable;
}
