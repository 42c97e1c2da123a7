import type { Delivery } from '../../identity/index.ts';
import { classifyMailError, type JobAttempt, type Mail } from '../../platform/index.ts';
import { type ClaimedMail, claimMail, findBegunAttempt, isQueued, type SendingContext } from './claim-mail.ts';
import { endBounced, endMail, retryLater, retryNow } from './end-mail.ts';
import { canStillSend, type MailContent, readContent } from './read-content.ts';
import { renderMail } from './render-mail.ts';
import { createUnsubscribeUrl } from './unsubscribe.ts';

/**
 * Sends an email about forecasts. No email is sent twice. Queues the next job if the email was not sent and can be retried.
 * Throws only before the email is claimed.
 */
export async function sendNotificationMail(
  context: SendingContext,
  { mailId, job }: { readonly mailId: string; readonly job: JobAttempt },
  delivery: Delivery,
): Promise<void> {
  const site = delivery.siteUrl();
  if (site === '') throw new Error('The URL of the site is not known yet. The email will be sent later.');
  const claimed = await claimMail(context, mailId);
  if (claimed === null) return endInterrupted(context, mailId, delivery);
  let composed: ComposedMail | null;
  try {
    composed = await composeMail(context, claimed, site);
  } catch (error) {
    // No mail server was contacted yet, so a retry is safe.
    delivery.log.warn({ mail: mailId, err: error }, 'composing an email about forecasts failed');
    return retryLater(context, claimed, job);
  }
  if (composed === null) return endMail(context, claimed, 'skipped');
  await deliver(context, { claimed, composed, job }, delivery);
}

/**
 * Ends an email that an earlier attempt began to send. That attempt is over, because the queue does not hand out a job to
 * two workers at a time. Whether the email arrived is unknown.
 */
async function endInterrupted(context: SendingContext, mailId: string, { log }: Delivery): Promise<void> {
  const begun = await findBegunAttempt(context, mailId);
  if (begun !== null) {
    log.warn({ mail: mailId }, 'sending an email about forecasts was interrupted, and it may not have arrived');
    await endMail(context, begun, 'unknown');
  }
  // The earlier attempt was not over after all. It has returned the email to the queue, for the job of this one.
  if (await isQueued(context, mailId))
    throw new Error('An earlier attempt has just ended. The email will be sent later.');
}

interface ComposedMail {
  readonly mail: Mail;
  readonly content: MailContent;
}

/** Composes an email. Returns null if nothing is left to list. */
async function composeMail(
  { database }: SendingContext,
  { id, accountId, to }: ClaimedMail,
  siteUrl: string,
): Promise<ComposedMail | null> {
  const content = await readContent(database, { id });
  if (content === null) return null;
  const unsubscribe = await createUnsubscribeUrl(database, siteUrl, accountId);
  // The message id is the same in every attempt, so that a mailbox can recognize duplicates.
  const messageId = `<${id.toLowerCase()}@${new URL(siteUrl).hostname}>`;
  return { mail: { ...renderMail({ to, siteUrl, unsubscribe, ...content }), messageId }, content };
}

interface DeliveryAttempt {
  readonly claimed: ClaimedMail;
  readonly composed: ComposedMail;
  readonly job: JobAttempt;
}

async function deliver(
  context: SendingContext,
  { claimed, composed, job }: DeliveryAttempt,
  { mailer, log }: Delivery,
): Promise<void> {
  const isStillWanted = () => canStillSend(context.database, claimed, composed.content);
  try {
    await mailer.send(composed.mail, { isStillWanted });
  } catch (error) {
    const failure = classifyMailError(error);
    if (failure === 'withdrawn') return retryNow(context, claimed, job);
    // The log contains the id of the email and not the address.
    log.warn({ mail: claimed.id, err: error }, 'sending an email about forecasts failed');
    if (failure === 'temporary') return retryLater(context, claimed, job);
    if (failure === 'bad_address') return endBounced(context, claimed);
    return endMail(context, claimed, failure === 'uncertain' ? 'unknown' : 'failed');
  }
  await endMail(context, claimed, mailer.delivers ? 'sent' : 'skipped');
}
