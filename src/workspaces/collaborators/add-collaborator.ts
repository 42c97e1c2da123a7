import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import { type CollaboratorRole, MAX_COLLABORATORS } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { FULL_SCOPE_COLUMNS } from '../create-workspace.ts';
import { alreadyInvited, alreadyMember, collaboratorLimitReached, tooManyAdditions } from '../faults.ts';
import { checkMembershipLimit } from '../limits.ts';
import { lockMembership, requireMembership } from '../memberships.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from '../tables.ts';
import { type CollaboratorView, viewInvitation, viewMember } from './list-collaborators.ts';
import { readScopeColumns, type ScopeChoice } from './resource-scope.ts';

interface NewCollaborator {
  /** The address in lower case, as the database stores it. */
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly scope: ScopeChoice;
}

type Addition = Omit<WorkspaceInvitationTable, 'kind' | 'ended_at' | 'workspace_id'> & { workspace_id: string };

const INVITATION_LIFETIME_MS = 7 * DAY_MS;
/** Limited, because each addition sends an email to a person who may not have asked for it. */
const MAX_ADDITIONS_PER_WORKSPACE_HOUR = 50;
/** Counts the additions to all workspaces by one account, so that creating another workspace does not raise the limit. */
const MAX_ADDITIONS_PER_ACCOUNT_HOUR = 100;

/**
 * Makes the account with this address a member if the address is verified; otherwise invites the address. Sends an email in
 * both cases.
 */
export async function addCollaborator(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { email, role, scope }: NewCollaborator,
): Promise<CollaboratorView> {
  const { database, clock } = context;
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'members.manage');
  const now = clock.now();
  return database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, 'members.manage');
    const candidate = await findCandidate(tx, { workspaceId, email, now });
    if (candidate.is_member) throw alreadyMember(email);
    if (candidate.is_invited) throw alreadyInvited(email);
    await checkAdditionLimits(tx, { workspaceId, accountId: principal.accountId, now });
    const addition: Addition = {
      id: newId('col', now.getTime()),
      workspace_id: workspaceId,
      email,
      role,
      ...FULL_SCOPE_COLUMNS,
      ...(await readScopeColumns(context, tx, { workspaceId, accountId: principal.accountId }, scope)),
      added_by: principal.accountId,
      secret_hash: null,
      created_at: now,
      expires_at: new Date(now.getTime() + INVITATION_LIFETIME_MS),
      sent_at: null,
    };
    const { account_id: accountId } = candidate;
    const view = accountId === null ? await invite(tx, addition) : await addMember(tx, accountId, addition);
    await context.requestMail(tx, addition.id);
    return view;
  });
}

interface Candidate {
  /** The account that is added without an invitation; null if there is none with this verified address. */
  readonly account_id: string | null;
  readonly is_member: boolean;
  readonly is_invited: boolean;
}

/** Returns the account of an address, and whether the address is already a member or invited. */
async function findCandidate(
  tx: Transaction,
  { workspaceId, email, now }: { readonly workspaceId: string; readonly email: string; readonly now: Date },
): Promise<Candidate> {
  const { rows } = await sql<Candidate>`
    SELECT
      (SELECT id FROM account WHERE email = ${email} AND email_verified) AS account_id,
      EXISTS (
        SELECT 1 FROM workspace_member AS member JOIN account ON account.id = member.account_id
        WHERE member.workspace_id = ${workspaceId} AND account.email = ${email}
      ) AS is_member,
      EXISTS (
        SELECT 1 FROM workspace_invitation
        WHERE workspace_id = ${workspaceId} AND email = ${email} AND ended_at IS NULL AND expires_at > ${now}
      ) AS is_invited`.execute(tx.query());
  return rows[0] ?? { account_id: null, is_member: false, is_invited: false };
}

interface AdditionCounts {
  readonly collaborators: number;
  readonly by_workspace: number;
  readonly by_account: number;
  /** The time of the earliest addition in the last hour. */
  readonly since: Date | null;
}

/** Throws a fault if the workspace is full or a limit of additions per hour is reached. Lock the workspace first. */
async function checkAdditionLimits(
  tx: Transaction,
  { workspaceId, accountId, now }: { readonly workspaceId: string; readonly accountId: string; readonly now: Date },
): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const { rows } = await sql<AdditionCounts>`
    SELECT
      (SELECT count(*) FROM workspace_member WHERE workspace_id = ${workspaceId} AND role <> 'owner')
        + (SELECT count(*) FROM workspace_invitation
          WHERE workspace_id = ${workspaceId} AND ended_at IS NULL AND expires_at > ${now}) AS collaborators,
      count(*) FILTER (WHERE workspace_id = ${workspaceId}) AS by_workspace,
      count(*) FILTER (WHERE added_by = ${accountId}) AS by_account,
      min(created_at) AS since
    FROM workspace_invitation
    WHERE (workspace_id = ${workspaceId} OR added_by = ${accountId}) AND created_at > ${hourAgo}
  `.execute(tx.query());
  const [counts] = rows;
  if (counts === undefined) throw new Error('Counting the collaborators returned no row.');
  if (counts.collaborators >= MAX_COLLABORATORS) throw collaboratorLimitReached(MAX_COLLABORATORS);
  const isFree =
    counts.by_workspace < MAX_ADDITIONS_PER_WORKSPACE_HOUR && counts.by_account < MAX_ADDITIONS_PER_ACCOUNT_HOUR;
  if (isFree) return;
  const retryAfter = Math.max(1, Math.ceil(((counts.since ?? now).getTime() + HOUR_MS - now.getTime()) / 1000));
  throw tooManyAdditions(MAX_ADDITIONS_PER_WORKSPACE_HOUR, MAX_ADDITIONS_PER_ACCOUNT_HOUR, retryAfter);
}

async function invite(tx: Transaction, addition: Addition): Promise<CollaboratorView> {
  const db = tx.query<WorkspaceTables>();
  // An expired invitation to the same address is ended first, because only one can be open.
  await db
    .updateTable('workspace_invitation')
    .set({ ended_at: addition.created_at, secret_hash: null })
    .where('workspace_id', '=', addition.workspace_id)
    .where('email', '=', addition.email)
    .where('ended_at', 'is', null)
    .execute();
  await db
    .insertInto('workspace_invitation')
    .values({ ...addition, kind: 'invitation', ended_at: null })
    .execute();
  return viewInvitation(addition);
}

async function addMember(tx: Transaction, accountId: string, addition: Addition): Promise<CollaboratorView> {
  const { email, added_by, secret_hash, expires_at, sent_at, ...membership } = addition;
  await checkMembershipLimit(tx, accountId, 'joined', `The account ${email}`);
  const db = tx.query<WorkspaceTables>();
  const member = { ...membership, account_id: accountId };
  await db.insertInto('workspace_member').values(member).execute();
  // This row is for the email about the addition, and for counting additions.
  await db
    .insertInto('workspace_invitation')
    .values({ ...addition, kind: 'addition', ended_at: addition.created_at })
    .execute();
  return viewMember({ ...member, email });
}
