import { sql } from 'kysely';
import type { CollaboratorRole } from '../../contract/index.ts';
import { hashSecret } from '../../identity/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

/** Mails an hour to one address, from whatever workspaces. More would be somebody filling the mailbox. */
const MAILS_AN_HOUR = 5;
const HOUR = 3_600_000;

interface Tables extends WorkspaceTables {
  account: { id: string; email: string };
}

/** What a mail says. */
export interface ClaimedMail {
  readonly kind: 'invitation' | 'addition';
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly expires_at: Date;
  readonly workspace: string;
  readonly by: string;
}

export type Claim =
  | { readonly outcome: 'send'; readonly mail: ClaimedMail }
  | { readonly outcome: 'throttled' | 'over' };

/** Decides whether a mail is still to be sent, and gives an invitation its secret. */
export async function claimMail(
  { database, clock }: Pick<WorkspaceContext, 'database' | 'clock'>,
  invitationId: string,
  secret: string,
): Promise<Claim> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    const mail = await findWaiting(tx, invitationId, now);
    if (!mail) return { outcome: 'over' };
    if ((await countRecent(tx, invitationId, mail.email, now)) >= MAILS_AN_HOUR) return { outcome: 'throttled' };
    await tx
      .query<WorkspaceTables>()
      .updateTable('workspace_invitation')
      .set({ sent_at: now, ...(mail.kind === 'invitation' && { secret_hash: hashSecret(secret) }) })
      .where('id', '=', invitationId)
      .execute();
    return { outcome: 'send', mail };
  });
}

/** One that is open, or tells of a place that is still there. */
function findWaiting(tx: Transaction, id: string, now: Date): Promise<ClaimedMail | undefined> {
  return (
    tx
      .query<Tables>()
      .selectFrom('workspace_invitation as invitation')
      .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
      .innerJoin('account as adder', 'adder.id', 'invitation.added_by')
      .leftJoin('workspace_member as member', 'member.id', 'invitation.id')
      .select([
        'invitation.kind',
        'invitation.email',
        'invitation.role',
        'invitation.expires_at',
        'workspace.name as workspace',
        'adder.email as by',
      ])
      .where('invitation.id', '=', id)
      .where('invitation.expires_at', '>', now)
      .where((where) =>
        where.or([
          where.and([where('invitation.kind', '=', 'invitation'), where('invitation.ended_at', 'is', null)]),
          where.and([where('invitation.kind', '=', 'addition'), where('member.id', 'is not', null)]),
        ]),
      )
      // Whoever accepts it or takes it back at this moment waits, and then meets the secret that is in the mail.
      .forUpdate('invitation')
      .executeTakeFirst()
  );
}

/** The mails that went to the address within an hour, this one left out. */
async function countRecent(tx: Transaction, id: string, email: string, now: Date): Promise<number> {
  // One after the other for each address: two workers must not both count four.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`invitation to ${email}`}, 0))`.execute(tx.query());
  const { sent } = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_invitation')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .where('email', '=', email)
    .where('id', '!=', id)
    .where('sent_at', '>', new Date(now.getTime() - HOUR))
    .executeTakeFirstOrThrow();
  return sent;
}
