import { type Log, MailError, type Mailer } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { newSecret } from '../secrets.ts';
import { claimLink } from './claim-link.ts';
import { addressTakenMail, linkMail } from './mails.ts';

/** How mails leave the house. */
export interface Delivery {
  readonly mailer: Mailer;
  /** The origin users see. Empty while it is not known yet. */
  readonly siteUrl: () => string;
  readonly log: Log;
}

/**
 * Sends the mail of a link. The secret is made here, for the mail alone: of it only the hash is kept, and a second
 * attempt makes another. Throws when it is worth trying again.
 */
export async function sendLink(
  context: IdentityContext,
  { linkId }: { readonly linkId: string },
  { mailer, siteUrl, log }: Delivery,
): Promise<void> {
  const site = siteUrl();
  if (site === '') throw new Error('The address of the site is not known yet: the mail is sent later.');
  const secret = newSecret('alm_lnk_');
  const claim = await claimLink(context, linkId, secret);
  // By its id alone: whose address it is, and whether it has an account, is nothing for a log.
  if (claim.outcome === 'throttled') log.warn({ link: linkId }, 'mail not sent: enough went to this address this hour');
  if (claim.outcome !== 'send' && claim.outcome !== 'tell_owner') return;
  const { kind, email: to, network, expires_at: expiresAt } = claim.link;
  const mail =
    claim.outcome === 'tell_owner'
      ? addressTakenMail({ to, siteUrl: site, network })
      : linkMail({ kind, to, siteUrl: site, secret, expiresAt, network });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ link: linkId, err: error }, 'mail not sent: the mail server will not take it');
  }
}
