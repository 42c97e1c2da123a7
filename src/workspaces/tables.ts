import type { ResourceScopeMode, Role } from '../contract/index.ts';

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

export interface WorkspaceTables {
  workspace: WorkspaceTable;
  workspace_member: WorkspaceMemberTable;
}
