import { type Log, MailError, type Mailer, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import { recordSecurityEvent } from '../security-events.ts';
import type { AccountLinkTable, IdentityTables } from '../tables.ts';
import { addressTakenMail, linkMail } from './link-mails.ts';
import { countRecentMails, isLimitReached } from './mail-limits.ts';

/** The dependencies for sending emails. */
export interface Delivery {
  readonly mailer: Mailer;
  /** Returns the public origin of the service, or an empty text until it is known. */
  readonly siteUrl: () => string;
  readonly log: Log;
}

/**
 * Sends the email of a link. Each attempt generates a new secret, of which only the hash is stored. Throws if the job
 * should be retried.
 */
export async function sendLink(
  context: IdentityContext,
  { linkId }: { readonly linkId: string },
  { mailer, siteUrl, log }: Delivery,
): Promise<void> {
  const site = siteUrl();
  if (site === '') throw new Error('The URL of the site is not known yet. The email will be sent later.');
  const secret = newSecret('alm_lnk_');
  const claim = await claimLink(context, linkId, secret);
  // Only the id is logged, because the log must not reveal the address or whether it has an account.
  if (claim.outcome === 'throttled')
    log.warn({ link: linkId }, 'mail not sent: the address has reached its hourly limit');
  if (claim.outcome !== 'send' && claim.outcome !== 'notify_owner') return;
  const { kind, email: to, network, expires_at: expiresAt } = claim.link;
  const mail =
    claim.outcome === 'notify_owner'
      ? addressTakenMail({ to, siteUrl: site, network })
      : linkMail({ kind, to, siteUrl: site, secret, expiresAt, network });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ link: linkId, err: error }, 'mail not sent: the mail server rejected it');
  }
}

/** After this number of emails an hour, an address gets no more notices: repeated sign-ups must not block a reset. */
const MAX_NOTICES_PER_HOUR = 2;

type PendingLink = Pick<
  AccountLinkTable,
  'id' | 'kind' | 'email' | 'account_id' | 'network' | 'user_agent' | 'expires_at' | 'sent_at'
>;

/** The decision about the email of a link. */
type Claim =
  | { readonly outcome: 'send'; readonly link: PendingLink }
  /** The address of a sign-up already has an account. The email is a notice to its owner, without a link to confirm. */
  | { readonly outcome: 'notify_owner'; readonly link: PendingLink }
  | { readonly outcome: 'no_account' | 'throttled' | 'closed' };

/** Decides which email is sent for a link, and stores the hash of the secret if the email contains the link. */
async function claimLink(context: IdentityContext, linkId: string, secret: string): Promise<Claim> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const link = await findPending(tx, linkId, now);
    if (!link) return { outcome: 'closed' };
    const account = await findOwner(tx, link);
    const taken = link.kind === 'sign_up' && account !== undefined;
    if (link.kind !== 'sign_up' && !account) return { outcome: 'no_account' };
    const sent = await countRecentMails(tx, link, now);
    if (isLimitReached(sent) || (taken && sent.total >= MAX_NOTICES_PER_HOUR)) return { outcome: 'throttled' };
    await tx
      .query<IdentityTables>()
      .updateTable('account_link')
      .set({
        sent_at: now,
        ...(taken ? { password_hash: null } : { secret_hash: hashSecret(secret), account_id: account?.id ?? null }),
      })
      .where('id', '=', linkId)
      .execute();
    // Recorded only once, even if the email takes several attempts.
    if (account && link.kind === 'reset_password' && link.sent_at === null) {
      const origin = { network: link.network, userAgent: link.user_agent };
      await recordSecurityEvent(tx, { accountId: account.id, kind: 'reset_requested', at: now, origin });
    }
    return { outcome: taken ? 'notify_owner' : 'send', link };
  });
}

function findPending(tx: Transaction, linkId: string, now: Date): Promise<PendingLink | undefined> {
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

/**
 * Returns the account that the email is about; for a verification, only if its address still has to be verified. A locked
 * account gets no link. The address of a sign-up has an account even if it is locked.
 */
async function findOwner(tx: Transaction, link: PendingLink): Promise<{ id: string } | undefined> {
  let select = tx.query<IdentityTables>().selectFrom('account').select('id').where('email', '=', link.email);
  if (link.kind !== 'sign_up') select = select.where('locked_at', 'is', null);
  if (link.kind === 'verify_email') {
    select = select
      .where('id', '=', link.account_id)
      .where((where) => where.or([where('email_verified', '=', false), where('bounced_at', 'is not', null)]));
  }
  return select.executeTakeFirst();
}
