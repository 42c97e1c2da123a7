import { type Delivery, newSecret } from '../../identity/index.ts';
import { MailError } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { claimMail } from './claim-mail.ts';
import { additionMail, invitationMail } from './invitation-mails.ts';

/**
 * Sends the mail about an invitation or a new place. The secret is made here, for the mail alone: of it only the hash
 * is kept, and a second attempt makes another. Throws when it is worth trying again.
 */
export async function sendInvitation(
  context: Pick<WorkspaceContext, 'database' | 'clock'>,
  { invitationId }: { readonly invitationId: string },
  { mailer, siteUrl, log }: Delivery,
): Promise<void> {
  const site = siteUrl();
  if (site === '') throw new Error('The address of the site is not known yet: the mail is sent later.');
  const secret = newSecret('alm_lnk_');
  const claim = await claimMail(context, invitationId, secret);
  // By its id alone: whose address it is, is nothing for a log.
  if (claim.outcome === 'throttled') {
    log.warn({ invitation: invitationId }, 'mail not sent: enough went to this address this hour');
  }
  if (claim.outcome !== 'send') return;
  const { kind, email: to, by, workspace, role, expires_at: expiresAt } = claim.mail;
  const place = { to, siteUrl: site, by, workspace, role };
  const mail = kind === 'invitation' ? invitationMail({ ...place, secret, expiresAt }) : additionMail(place);
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ invitation: invitationId, err: error }, 'mail not sent: the mail server will not take it');
  }
}
