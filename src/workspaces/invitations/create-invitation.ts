import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import { type IdPrefix, newId, type Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { tooManyInvitations } from '../faults.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from '../tables.ts';
import { endInvitation } from './end-invitation.ts';

const INVITATION_LIFETIME_MS = 14 * DAY_MS;
/** Limited, because each invitation sends an email to a person who may not have asked for it. */
const MAX_INVITATIONS_PER_WORKSPACE_HOUR = 50;
/** Counts the invitations to all workspaces by one account, so that another workspace does not raise the limit. */
const MAX_INVITATIONS_PER_ACCOUNT_HOUR = 100;

type StoredInvitation = WorkspaceInvitationTable & { workspace_id: string };

type NewInvitation = Omit<
  StoredInvitation,
  'id' | 'secret_hash' | 'created_at' | 'expires_at' | 'sent_at' | 'ended_at'
>;

/**
 * Stores an invitation and queues its email, which is the same whether or not the address has an account. Replaces an
 * invitation of the same kind that is open or has expired: to the same address or, for the ownership, to any. Lock the
 * workspace first. Throws a fault if too many were sent in the last hour.
 */
export async function createInvitation(
  context: Pick<WorkspaceContext, 'clock' | 'requestMail'>,
  tx: Transaction,
  invitation: NewInvitation,
): Promise<StoredInvitation> {
  const now = context.clock.now();
  const { kind, workspace_id, email, added_by } = invitation;
  await checkInvitationRate(tx, { workspaceId: workspace_id, accountId: added_by, now });
  await endInvitation(tx, { kind, workspace_id, ...(kind === 'invitation' && { email }) }, now);
  // The account keeps the id of the invitation as its collaborator id; a new owner already has one.
  const prefix: IdPrefix = kind === 'invitation' ? 'col' : 'inv';
  const stored: StoredInvitation = {
    ...invitation,
    id: newId(prefix, now.getTime()),
    secret_hash: null,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_LIFETIME_MS),
    sent_at: null,
    ended_at: null,
  };
  await tx.query<WorkspaceTables>().insertInto('workspace_invitation').values(stored).execute();
  await context.requestMail(tx, stored.id);
  return stored;
}

interface InvitationCounts {
  readonly by_workspace: number;
  readonly by_account: number;
  /** The time of the earliest invitation in the last hour. */
  readonly since: Date | null;
}

async function checkInvitationRate(
  tx: Transaction,
  { workspaceId, accountId, now }: { readonly workspaceId: string; readonly accountId: string; readonly now: Date },
): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const { rows } = await sql<InvitationCounts>`
    SELECT
      count(*) FILTER (WHERE workspace_id = ${workspaceId}) AS by_workspace,
      count(*) FILTER (WHERE added_by = ${accountId}) AS by_account,
      min(created_at) AS since
    FROM workspace_invitation
    WHERE (workspace_id = ${workspaceId} OR added_by = ${accountId}) AND created_at > ${hourAgo}
  `.execute(tx.query());
  const [counts] = rows;
  if (counts === undefined) throw new Error('Counting the invitations returned no row.');
  const isFree =
    counts.by_workspace < MAX_INVITATIONS_PER_WORKSPACE_HOUR && counts.by_account < MAX_INVITATIONS_PER_ACCOUNT_HOUR;
  if (isFree) return;
  const retryAfter = Math.max(1, Math.ceil(((counts.since ?? now).getTime() + HOUR_MS - now.getTime()) / 1000));
  throw tooManyInvitations(MAX_INVITATIONS_PER_WORKSPACE_HOUR, MAX_INVITATIONS_PER_ACCOUNT_HOUR, retryAfter);
}
