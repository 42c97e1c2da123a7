import type { Delivery } from '../../identity/index.ts';
import { classifyMailError, type JobAttempt, type Mail } from '../../platform/index.ts';
import { abandonInterrupted, type ClaimedMail, canStillSend, claimScreenerMail } from './claim-screener-mail.ts';
import { renderScreenerMail } from './message/screener-mail.ts';
import { readContent } from './read-content.ts';
import { recordBounced, recordInterrupted, recordSent, recordUnsent } from './record-outcome.ts';
import { type MailAttempt, retryLater, retryWithChangedContent, type SendingContext } from './retry-mail.ts';
import { createUnsubscribeToken } from './unsubscribe.ts';

/**
 * Sends the email to an account about a session. No email is sent twice. Queues the next job if the email was not sent and
 * can be retried. Throws only before the email is claimed.
 */
export async function sendScreenerMail(
  context: SendingContext,
  { mailId, job }: { readonly mailId: string; readonly job: JobAttempt },
  delivery: Delivery,
): Promise<void> {
  const { database, clock } = context;
  const site = delivery.siteUrl();
  if (site === '') throw new Error('The address of the site is not known yet, so the email is sent later.');
  const claimed = await claimScreenerMail(database, mailId, clock.now());
  if (claimed === null) {
    if (await abandonInterrupted(database, mailId, clock.now())) {
      delivery.log.warn({ mail: mailId }, 'sending a screener mail was interrupted, and it may not have arrived');
    }
    return;
  }
  let composed: ComposedMail | null;
  try {
    composed = await composeMail(context, claimed, site);
  } catch (error) {
    // No mail server was contacted yet, so a retry is safe.
    delivery.log.warn({ mail: mailId, err: error }, 'composing a screener mail failed');
    return retryLater(context, { claimed, job });
  }
  if (composed === null) return recordUnsent(database, claimed, 'no_longer_wanted', clock.now());
  await deliver(context, { claimed, job }, composed, delivery);
}

interface ComposedMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly filterIds: readonly string[];
}

/** Composes an email. Returns null if no match is left to report. */
async function composeMail(
  { database }: SendingContext,
  claimed: ClaimedMail,
  site: string,
): Promise<ComposedMail | null> {
  const content = await readContent(database, claimed);
  if (content.filters.length === 0) return null;
  const token = await createUnsubscribeToken(database, claimed.accountId);
  const unsubscribe = `${site}/screener/unsubscribe?token=${token}`;
  // The message id is the same in every attempt, so that a mailbox can recognize duplicates.
  const messageId = `<${claimed.id.toLowerCase()}@${new URL(site).hostname}>`;
  const mail = { ...renderScreenerMail({ to: claimed.to, siteUrl: site, unsubscribe, ...content }), messageId };
  return { mail, filterIds: content.filters.map(({ id }) => id) };
}

async function deliver(
  context: SendingContext,
  attempt: MailAttempt,
  { mail, filterIds }: ComposedMail,
  { mailer, log }: Delivery,
): Promise<void> {
  const { database, clock } = context;
  const { claimed } = attempt;
  try {
    await mailer.send(mail, { isStillWanted: () => canStillSend(database, claimed, filterIds) });
  } catch (error) {
    const failure = classifyMailError(error);
    if (failure === 'withdrawn') return retryWithChangedContent(context, attempt);
    const now = clock.now();
    // The log contains the id of the email and not the address.
    log.warn({ mail: claimed.id, err: error }, 'sending a screener mail failed');
    if (failure === 'uncertain') return recordInterrupted(database, claimed, mail.messageId, now);
    if (failure === 'bad_address') return recordBounced(database, claimed, now);
    if (failure === 'rejected') return recordUnsent(database, claimed, 'refused', now);
    return retryLater(context, attempt);
  }
  if (!mailer.delivers) return recordUnsent(database, claimed, 'no_mail_server', clock.now());
  await recordSent(database, claimed, mail.messageId, clock.now());
}
