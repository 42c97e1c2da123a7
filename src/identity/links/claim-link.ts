import type { Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret } from '../secrets.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { AccountLinkTable, IdentityTables } from '../tables.ts';
import { countRecentMails, isEnough } from './recent-mails.ts';

/** Beyond so many mails an hour an address gets no notices: who keeps signing up with it must not keep its owner from a reset. */
const NOTICES_AN_HOUR = 2;

type WaitingLink = Pick<
  AccountLinkTable,
  'id' | 'kind' | 'email' | 'account_id' | 'network' | 'user_agent' | 'expires_at' | 'sent_at'
>;

/** What is to become of a link whose mail was asked for. */
export type Claim =
  | { readonly outcome: 'send'; readonly link: WaitingLink }
  /** Somebody signs up with an address that has an account: its owner is told, and there is nothing to confirm. */
  | { readonly outcome: 'tell_owner'; readonly link: WaitingLink }
  | { readonly outcome: 'nobody' | 'throttled' | 'over' };

/** Decides whom the mail of a link goes to, and gives the link its secret if it is to have one. */
export async function claimLink(context: IdentityContext, linkId: string, secret: string): Promise<Claim> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const link = await findWaiting(tx, linkId, now);
    if (!link) return { outcome: 'over' };
    const account = await findOwner(tx, link);
    const taken = link.kind === 'sign_up' && account !== undefined;
    if (link.kind !== 'sign_up' && !account) return { outcome: 'nobody' };
    const sent = await countRecentMails(tx, link, now);
    if (isEnough(sent) || (taken && sent.inAll >= NOTICES_AN_HOUR)) return { outcome: 'throttled' };
    await tx
      .query<IdentityTables>()
      .updateTable('account_link')
      .set({
        sent_at: now,
        ...(taken ? { password_hash: null } : { secret_hash: hashSecret(secret), account_id: account?.id ?? null }),
      })
      .where('id', '=', linkId)
      .execute();
    // Once, however often the mail has to be tried.
    if (account && link.kind === 'reset_password' && link.sent_at === null) {
      const origin = { network: link.network, userAgent: link.user_agent };
      await recordSecurityEvent(tx, { accountId: account.id, kind: 'reset_requested', at: now, origin });
    }
    return { outcome: taken ? 'tell_owner' : 'send', link };
  });
}

function findWaiting(tx: Transaction, linkId: string, now: Date): Promise<WaitingLink | undefined> {
  return tx
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select(['id', 'kind', 'email', 'account_id', 'network', 'user_agent', 'expires_at', 'sent_at'])
    .where('id', '=', linkId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
}

/** The account that the mail is about. For a verification: only while there is something to verify. */
async function findOwner(tx: Transaction, link: WaitingLink): Promise<{ id: string } | undefined> {
  let select = tx.query<IdentityTables>().selectFrom('account').select('id').where('email', '=', link.email);
  if (link.kind === 'verify_email') {
    select = select
      .where('id', '=', link.account_id)
      .where((where) => where.or([where('email_verified', '=', false), where('bounced_at', 'is not', null)]));
  }
  return select.executeTakeFirst();
}
