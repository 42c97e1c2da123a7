import type { z } from 'zod';
import type { Collaborator } from '../../contract/index.ts';
import { storedScope } from '../find-membership.ts';
import type { WorkspaceInvitationTable, WorkspaceMemberTable } from '../tables.ts';

export type CollaboratorView = z.output<typeof Collaborator>;

type MemberRow = Omit<WorkspaceMemberTable, 'workspace_id'> & { readonly email: string };

/** What a view is made of. */
export const INVITATION_COLUMNS = [
  'id',
  'email',
  'role',
  'csv_scope_mode',
  'csv_scope_ids',
  'forecasts_scope_mode',
  'forecasts_scope_ids',
  'created_at',
  'expires_at',
] as const;

type InvitationRow = Pick<WorkspaceInvitationTable, (typeof INVITATION_COLUMNS)[number]>;

export function viewMember(row: MemberRow): CollaboratorView {
  return { ...common(row), kind: 'member', user: { id: row.account_id, email: row.email }, expires_at: null };
}

export function viewInvitation(row: InvitationRow): CollaboratorView {
  return { ...common(row), kind: 'invitation', user: null, expires_at: row.expires_at.toISOString() };
}

function common(row: MemberRow | InvitationRow) {
  return {
    collaborator_id: row.id,
    email: row.email,
    role: row.role,
    resource_scope: {
      csv: storedScope(row.csv_scope_mode, row.csv_scope_ids),
      forecasts: storedScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
    },
    created_at: row.created_at.toISOString(),
  };
}
