import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import type { Role } from '../../contract/index.ts';
import { type Delivery, hashSecret, MAIL_QUEUE, newSecret } from '../../identity/index.ts';
import { MailError, type Queue, type Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from '../tables.ts';
import { invitationMail, ownershipMail } from './invitation-mails.ts';

/** The key of jobs of this kind in the email queue. A job contains the id of the invitation, but not its secret. */
export const INVITATION_MAIL_KEY = 'invitationId';

/** Number of emails an hour to one address from all workspaces together. More could flood the mailbox. */
const MAX_MAILS_PER_HOUR = 5;

interface Tables extends WorkspaceTables {
  account: { id: string; email: string; locked_at: Date | null };
}

interface ClaimedMail {
  readonly kind: WorkspaceInvitationTable['kind'];
  readonly email: string;
  readonly role: Role;
  readonly expires_at: Date;
  readonly workspace_name: string;
  readonly sender_email: string;
}

type Claim = { readonly outcome: 'send'; readonly mail: ClaimedMail } | { readonly outcome: 'throttled' | 'over' };

/** Returns the function with which a request queues the email of an invitation in its own transaction. */
export function createInvitationMailRequester(queue: Queue): WorkspaceContext['requestMail'] {
  return async (tx, invitationId) => {
    await queue.enqueue(tx, MAIL_QUEUE.name, { [INVITATION_MAIL_KEY]: invitationId });
  };
}

/**
 * Sends the email of an invitation. Each attempt generates another secret, of which only the hash
 * is stored. Throws if the job should be retried.
 */
export async function sendInvitation(
  context: Pick<WorkspaceContext, 'database' | 'clock'>,
  { invitationId }: { readonly invitationId: string },
  { mailer, siteUrl, log }: Delivery,
): Promise<void> {
  const site = siteUrl();
  if (site === '') throw new Error('The URL of the site is not known yet. The email will be sent later.');
  const secret = newSecret('alm_lnk_');
  const claim = await claimInvitationMail(context, invitationId, secret);
  // Only the id is logged, because addresses are personal data.
  if (claim.outcome === 'throttled') {
    log.warn({ invitation: invitationId }, 'mail not sent: the hourly limit of this address is reached');
  }
  if (claim.outcome !== 'send') return;
  const { kind, email: to, sender_email, workspace_name, role, expires_at: expiresAt } = claim.mail;
  const facts = { to, siteUrl: site, senderEmail: sender_email, workspaceName: workspace_name, secret, expiresAt };
  const mail = kind === 'ownership' ? ownershipMail(facts) : invitationMail({ ...facts, role });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ invitation: invitationId, err: error }, 'mail not sent: the mail server rejected it permanently');
  }
}

/** Decides whether an email should still be sent. If so, stores the hash of the invitation's secret. */
async function claimInvitationMail(
  { database, clock }: Pick<WorkspaceContext, 'database' | 'clock'>,
  invitationId: string,
  secret: string,
): Promise<Claim> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    const mail = await lockPendingMail(tx, invitationId, now);
    if (!mail) return { outcome: 'over' };
    const recent = await countRecentMails(tx, invitationId, mail.email, now);
    if (recent >= MAX_MAILS_PER_HOUR) return { outcome: 'throttled' };
    await tx
      .query<WorkspaceTables>()
      .updateTable('workspace_invitation')
      .set({ sent_at: now, secret_hash: hashSecret(secret) })
      .where('id', '=', invitationId)
      .execute();
    return { outcome: 'send', mail };
  });
}

/** Locks an open invitation and returns the data of its email. A locked account neither sends nor gets invitations. */
function lockPendingMail(tx: Transaction, id: string, now: Date): Promise<ClaimedMail | undefined> {
  return (
    tx
      .query<Tables>()
      .selectFrom('workspace_invitation as invitation')
      .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
      .innerJoin('account as adder', 'adder.id', 'invitation.added_by')
      .select([
        'invitation.kind',
        'invitation.email',
        'invitation.role',
        'invitation.expires_at',
        'workspace.name as workspace_name',
        'adder.email as sender_email',
      ])
      .where('invitation.id', '=', id)
      .where('invitation.expires_at', '>', now)
      .where('invitation.ended_at', 'is', null)
      .where('adder.locked_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('account as invited')
              .select('invited.id')
              .whereRef('invited.email', '=', 'invitation.email')
              .where('invited.locked_at', 'is not', null),
          ),
        ),
      )
      // A concurrent request that answers or withdraws the invitation waits, and then finds the secret of this email.
      .forUpdate('invitation')
      .executeTakeFirst()
  );
}

/** Counts the other emails that were sent to the address within the last hour. */
async function countRecentMails(tx: Transaction, id: string, email: string, now: Date): Promise<number> {
  // The lock allows one worker at a time for each address. Otherwise two could both count four.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`invitation to ${email}`}, 0))`.execute(tx.query());
  const { sent } = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_invitation')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .where('email', '=', email)
    .where('id', '!=', id)
    .where('sent_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();
  return sent;
}

/** Removes invitations that have ended. Those of the last day are kept, because they count toward the limits. */
export async function removeOldInvitations({
  database,
  clock,
}: Pick<WorkspaceContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  await database
    .query<WorkspaceTables>()
    .deleteFrom('workspace_invitation')
    .where('created_at', '<', new Date(now.getTime() - DAY_MS))
    .where((where) =>
      where.or([where('ended_at', 'is not', null), where('workspace_id', 'is', null), where('expires_at', '<', now)]),
    )
    .execute();
}
