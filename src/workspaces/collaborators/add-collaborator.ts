import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { type CollaboratorRole, MAX_COLLABORATORS } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { FULL_SCOPE_COLUMNS } from '../create-workspace.ts';
import { alreadyInvited, alreadyMember, collaboratorLimitReached } from '../faults.ts';
import { createInvitation } from '../invitations/create-invitation.ts';
import { lockMembership, requireMembership } from '../memberships.ts';
import { type CollaboratorView, viewInvitation } from './list-collaborators.ts';
import { readScopeColumns, type ScopeChoice } from './resource-scope.ts';

interface NewCollaborator {
  /** The address in lower case, as the database stores it. */
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly scope: ScopeChoice;
}

/**
 * Invites an address. Whether the address has an account changes neither the response nor the statements that run, so
 * that an owner cannot find out which addresses have one.
 */
export async function addCollaborator(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { email, role, scope }: NewCollaborator,
): Promise<CollaboratorView> {
  const { database, clock } = context;
  const { accountId } = principal;
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'members.manage');
  return database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, 'members.manage');
    await checkCandidate(tx, { workspaceId, email, now: clock.now() });
    const invitation = await createInvitation(context, tx, {
      kind: 'invitation',
      workspace_id: workspaceId,
      email,
      role,
      ...FULL_SCOPE_COLUMNS,
      ...(await readScopeColumns(context, tx, { workspaceId, accountId }, scope)),
      added_by: accountId,
      member_id: null,
    });
    return viewInvitation(invitation);
  });
}

interface Candidate {
  readonly is_member: boolean;
  readonly is_invited: boolean;
  /** The number of members, without the owner, and of open invitations. */
  readonly collaborators: number;
}

/** Throws a fault if the address is already a member or invited, or if the workspace is full. */
async function checkCandidate(
  tx: Transaction,
  { workspaceId, email, now }: { readonly workspaceId: string; readonly email: string; readonly now: Date },
): Promise<void> {
  const isOpen = sql`workspace_id = ${workspaceId} AND kind = 'invitation' AND ended_at IS NULL AND expires_at > ${now}`;
  const { rows } = await sql<Candidate>`
    SELECT
      EXISTS (
        SELECT 1 FROM workspace_member AS member JOIN account ON account.id = member.account_id
        WHERE member.workspace_id = ${workspaceId} AND account.email = ${email}
      ) AS is_member,
      EXISTS (SELECT 1 FROM workspace_invitation WHERE ${isOpen} AND email = ${email}) AS is_invited,
      (SELECT count(*) FROM workspace_member WHERE workspace_id = ${workspaceId} AND role <> 'owner')
        + (SELECT count(*) FROM workspace_invitation WHERE ${isOpen}) AS collaborators`.execute(tx.query());
  const [candidate] = rows;
  if (candidate === undefined) throw new Error('Reading the collaborators returned no row.');
  if (candidate.is_member) throw alreadyMember(email);
  if (candidate.is_invited) throw alreadyInvited(email);
  if (candidate.collaborators >= MAX_COLLABORATORS) throw collaboratorLimitReached(MAX_COLLABORATORS);
}
