import type { Delivery } from '../../identity/index.ts';
import { type JobAttempt, type Mail, MailError } from '../../platform/index.ts';
import { type ClaimedMail, claimMail, giveUpInterrupted } from './claim-mail.ts';
import { isStillSo } from './is-still-so.ts';
import { screenerMail } from './message/screener-mail.ts';
import { readContent } from './read-content.ts';
import { recordBounced, recordInterrupted, recordSent, recordUnsent } from './record-outcome.ts';
import { type MailAttempt, type SendingContext, tryLater, tryWithTheRest } from './try-again.ts';
import { unsubscribeToken } from './unsubscribe.ts';

/**
 * Sends the mail of an account and a session, at most once whatever happens on the way. When it was not sent and is worth
 * trying again, it has its next job. Throws only when it has not begun.
 */
export async function sendScreenerMail(
  context: SendingContext,
  { mailId, job }: { readonly mailId: string; readonly job: JobAttempt },
  delivery: Delivery,
): Promise<void> {
  const { database, clock } = context;
  const site = delivery.siteUrl();
  if (site === '') throw new Error('The address of the site is not known yet: the mail is sent later.');
  const claimed = await claimMail(database, mailId, clock.now());
  if (claimed === null) {
    if (await giveUpInterrupted(database, mailId, clock.now())) {
      delivery.log.warn({ mail: mailId }, 'screener mail may not have arrived: its sending was interrupted');
    }
    return;
  }
  let composed: ComposedMail | null;
  try {
    composed = await compose(context, claimed, site);
  } catch (error) {
    // Nothing has left the house yet.
    delivery.log.warn({ mail: mailId, err: error }, 'screener mail not written');
    return tryLater(context, { claimed, job });
  }
  if (composed === null) return recordUnsent(database, claimed, 'no_longer_wanted', clock.now());
  await handOver(context, { claimed, job }, composed, delivery);
}

interface ComposedMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly filterIds: readonly string[];
}

/** Null when what it was to tell of is gone. */
async function compose({ database }: SendingContext, claimed: ClaimedMail, site: string): Promise<ComposedMail | null> {
  const content = await readContent(database, claimed);
  if (content.filters.length === 0) return null;
  const token = await unsubscribeToken(database, claimed.accountId);
  const unsubscribe = `${site}/screener/unsubscribe?token=${token}`;
  // The same for every attempt: should two of them arrive after all, a mailbox can see that they are one.
  const messageId = `<${claimed.id.toLowerCase()}@${new URL(site).hostname}>`;
  const mail = { ...screenerMail({ to: claimed.to, siteUrl: site, unsubscribe, ...content }), messageId };
  return { mail, filterIds: content.filters.map(({ id }) => id) };
}

async function handOver(
  context: SendingContext,
  attempt: MailAttempt,
  { mail, filterIds }: ComposedMail,
  { mailer, log }: Delivery,
): Promise<void> {
  const { database, clock } = context;
  const { claimed } = attempt;
  try {
    await mailer.send(mail, { isStillWanted: () => isStillSo(database, claimed, filterIds) });
  } catch (error) {
    const failure = error instanceof MailError ? error : null;
    if (failure?.withdrawn) return tryWithTheRest(context, attempt);
    const now = clock.now();
    // By its id alone: whose address it is, is nothing for a log.
    log.warn({ mail: claimed.id, err: error }, 'screener mail not sent');
    if (failure === null || failure.uncertain) return recordInterrupted(database, claimed, mail.messageId, now);
    if (failure.badAddress) return recordBounced(database, claimed, now);
    if (failure.permanent) return recordUnsent(database, claimed, 'refused', now);
    return tryLater(context, attempt);
  }
  if (!mailer.delivers) return recordUnsent(database, claimed, 'no_mail_server', clock.now());
  await recordSent(database, claimed, mail.messageId, clock.now());
}
