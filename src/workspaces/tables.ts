import type { ResourceScopeMode, Role } from '../contract/index.ts';

export interface WorkspaceTable {
  id: string;
  name: string;
  slug: string;
  owner_account_id: string;
  legacy_personal: boolean;
  /** The credits that each member other than the owner can use in a month; null if they are not limited. */
  member_credits: number | null;
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

/** An invitation to become a member or the owner of a workspace. */
export interface WorkspaceInvitationTable {
  /** Also the id of the collaborator, if the account becomes a member by accepting the invitation. */
  id: string;
  /**
   * `invitation`: to become a member; `ownership`: to become the owner. Earlier versions added accounts without an
   * invitation and stored an `addition`, which has ended.
   */
  kind: 'invitation' | 'ownership' | 'addition';
  /** Null if the workspace was deleted. */
  workspace_id: string | null;
  email: string;
  role: Role;
  csv_scope_mode: ResourceScopeMode;
  csv_scope_ids: string[];
  forecasts_scope_mode: ResourceScopeMode;
  forecasts_scope_ids: string[];
  added_by: string;
  /** The membership of the account that is invited to become the owner. The invitation is removed with it. */
  member_id: string | null;
  /** Null until the email is sent: the secret is generated for the email, and only its hash is stored. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the latest attempt to send the email began. */
  sent_at: Date | null;
  /** When the invitation was accepted, declined, withdrawn or replaced. */
  ended_at: Date | null;
}

export interface WorkspaceTables {
  workspace: WorkspaceTable;
  workspace_member: WorkspaceMemberTable;
  workspace_invitation: WorkspaceInvitationTable;
}
