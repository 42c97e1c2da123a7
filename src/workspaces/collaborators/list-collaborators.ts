import type { z } from 'zod';
import { type Account, hasPermission } from '../../access/index.ts';
import type { Collaborator } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { type FoundMembership, readStoredScope, requireMembership } from '../memberships.ts';
import type { WorkspaceInvitationTable, WorkspaceMemberTable, WorkspaceTables } from '../tables.ts';
import { hidePrivateForecasts } from '../workspace-views.ts';

export type CollaboratorView = z.output<typeof Collaborator>;

interface MemberTables extends WorkspaceTables {
  account: { id: string; email: string };
}

type MemberRow = Omit<WorkspaceMemberTable, 'workspace_id'> & { readonly email: string };

/** The columns that `viewInvitation` uses. */
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

/** Returns the members, in the order in which they joined, then the open invitations. */
export async function listCollaborators(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<CollaboratorView[]> {
  const { database, clock } = context;
  const membership = await requireMembership(database, principal, workspaceIdOrSlug, 'members.read');
  const members = await findMembers(database, membership.workspaceId);
  const invitations = await findInvitations(database, membership.workspaceId, clock.now());
  const visible = await hidePrivateForecasts(context, database, principal.accountId, [...members, ...invitations]);
  const shown = visible.map((collaborator) => limitToOwnScope(membership, collaborator));
  return addCredits(context, database, principal, membership, shown);
}

/** Adds the credits that members have used: those of all members for the owner, its own for any other member. */
export async function addCredits(
  { memberCredits, clock }: Pick<WorkspaceContext, 'memberCredits' | 'clock'>,
  executor: Executor,
  { accountId }: Account,
  { workspaceId, role }: FoundMembership,
  collaborators: readonly CollaboratorView[],
): Promise<CollaboratorView[]> {
  const used = await memberCredits(executor, workspaceId, clock.now());
  return collaborators.map((collaborator) => {
    const { user } = collaborator;
    const isShown = user !== null && collaborator.role !== 'owner' && (role === 'owner' || user.id === accountId);
    return { ...collaborator, credits_used: isShown ? (used.get(user.id) ?? 0) : null };
  });
}

/**
 * Removes ids outside the caller's scope, so that the scope of another member does not reveal them. Owners see all ids.
 */
function limitToOwnScope(membership: FoundMembership, collaborator: CollaboratorView): CollaboratorView {
  if (hasPermission(membership, 'members.manage')) return collaborator;
  const { csv, forecasts } = collaborator.resource_scope;
  return {
    ...collaborator,
    resource_scope: {
      csv: { ...csv, ids: csv.ids.filter((id) => hasPermission(membership, 'csv.read', id)) },
      forecasts: { ...forecasts, ids: forecasts.ids.filter((id) => hasPermission(membership, 'forecast.read', id)) },
    },
  };
}

/** Returns all members of a workspace in the order in which they joined, or only the one with this id. */
export async function findMembers(
  executor: Executor,
  workspaceId: string,
  collaboratorId?: string,
): Promise<CollaboratorView[]> {
  const rows = await executor
    .query<MemberTables>()
    .selectFrom('workspace_member as member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .selectAll('member')
    .select('account.email')
    .where('member.workspace_id', '=', workspaceId)
    .$if(collaboratorId !== undefined, (query) => query.where('member.id', '=', collaboratorId as string))
    .orderBy('member.created_at')
    .orderBy('member.id')
    .execute();
  return rows.map(viewMember);
}

/** Returns the open invitations of a workspace, in the order in which they were created. */
async function findInvitations(executor: Executor, workspaceId: string, now: Date): Promise<CollaboratorView[]> {
  const rows = await executor
    .query<WorkspaceTables>()
    .selectFrom('workspace_invitation')
    .select(INVITATION_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'invitation')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(viewInvitation);
}

function viewMember(row: MemberRow): CollaboratorView {
  return { ...viewCommonFields(row), kind: 'member', user: { id: row.account_id, email: row.email }, expires_at: null };
}

export function viewInvitation(row: InvitationRow): CollaboratorView {
  return { ...viewCommonFields(row), kind: 'invitation', user: null, expires_at: row.expires_at.toISOString() };
}

function viewCommonFields(row: MemberRow | InvitationRow) {
  return {
    collaborator_id: row.id,
    email: row.email,
    role: row.role,
    resource_scope: {
      csv: readStoredScope(row.csv_scope_mode, row.csv_scope_ids),
      forecasts: readStoredScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
    },
    credits_used: null,
    created_at: row.created_at.toISOString(),
  };
}
