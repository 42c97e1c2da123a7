import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { type CollaboratorRole, Fault } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { WHOLE_PLACE } from '../insert-workspace.ts';
import { refuseBeyondLimit } from '../limits.ts';
import { lockPlace, requirePlace } from '../place.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from '../tables.ts';
import { refuseTooMany } from './refuse-too-many.ts';
import { columnsOf, type ScopeChoice } from './resource-scope.ts';
import { type CollaboratorView, viewInvitation, viewMember } from './view-collaborator.ts';

export interface NewCollaborator {
  /** As accounts keep it: in small letters. */
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly scope: ScopeChoice;
}

type Addition = Omit<WorkspaceInvitationTable, 'kind' | 'ended_at' | 'workspace_id'> & { workspace_id: string };

const LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * Gives the account with this address a place at once, if the address is verified, and otherwise invites whoever has
 * the address. Both are told by mail.
 */
export async function addCollaborator(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { email, role, scope }: NewCollaborator,
): Promise<CollaboratorView> {
  const { database, clock } = context;
  const { workspaceId } = await requirePlace(database, principal, workspaceIdOrSlug, 'members.manage');
  const now = clock.now();
  return database.transaction(async (tx) => {
    await lockPlace(tx, principal, workspaceId, 'members.manage');
    const candidate = await findCandidate(tx, { workspaceId, email, now });
    if (candidate.is_member) throw new Fault('CONFLICT', `${email} is a member of this workspace already.`);
    if (candidate.is_invited) {
      throw new Fault('CONFLICT', `${email} is invited already. Take the invitation back to send another.`);
    }
    await refuseTooMany(tx, { workspaceId, accountId: principal.accountId, now });
    const addition: Addition = {
      id: newId('col', now.getTime()),
      workspace_id: workspaceId,
      email,
      role,
      ...WHOLE_PLACE,
      ...(await columnsOf(context, tx, { workspaceId, accountId: principal.accountId }, scope)),
      added_by: principal.accountId,
      secret_hash: null,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
      sent_at: null,
    };
    const { account_id: accountId } = candidate;
    const view = accountId === null ? await invite(tx, addition) : await addMember(tx, accountId, addition);
    await context.requestMail(tx, addition.id);
    return view;
  });
}

interface Candidate {
  /** Of the account that can be added at once. */
  readonly account_id: string | null;
  readonly is_member: boolean;
  readonly is_invited: boolean;
}

/** What the workspace and the accounts know of an address. */
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

async function invite(tx: Transaction, addition: Addition): Promise<CollaboratorView> {
  const db = tx.query<WorkspaceTables>();
  // One that has expired makes room.
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
  const { email, added_by, secret_hash, expires_at, sent_at, ...place } = addition;
  await refuseBeyondLimit(tx, accountId, 'joined', `The account ${email}`);
  const db = tx.query<WorkspaceTables>();
  const member = { ...place, account_id: accountId };
  await db.insertInto('workspace_member').values(member).execute();
  // For the mail that tells of it, and for counting.
  await db
    .insertInto('workspace_invitation')
    .values({ ...addition, kind: 'addition', ended_at: addition.created_at })
    .execute();
  return viewMember({ ...member, email });
}
