import type { Delivery } from '../../identity/index.ts';
import { type Mail, MailError } from '../../platform/index.ts';
import type { ScreenerContext } from '../context.ts';
import { type ClaimedMail, claimMail, giveUpInterrupted } from './claim-mail.ts';
import { screenerMail } from './message/screener-mail.ts';
import { readContent } from './read-content.ts';
import { putBack, recordBounced, recordInterrupted, recordSent, recordUnsent } from './record-outcome.ts';
import { unsubscribeToken } from './unsubscribe.ts';

type Context = Pick<ScreenerContext, 'database' | 'clock'>;

/**
 * Sends the mail of an account and a session, at most once whatever happens on the way. Throws when it was not sent and
 * is worth trying again.
 */
export async function sendScreenerMail(
  context: Context,
  { mailId }: { readonly mailId: string },
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
  const mail = await composed(context, claimed, site).catch(async (error) => {
    // Nothing has left the house yet.
    await putBack(database, claimed, clock.now());
    throw error;
  });
  if (mail === null) return recordUnsent(database, claimed, 'no_longer_wanted', clock.now());
  await handOver(context, claimed, mail, delivery);
}

type ComposedMail = Mail & { readonly messageId: string };

/** Null when what it was to tell of is gone. */
async function composed({ database }: Context, claimed: ClaimedMail, site: string): Promise<ComposedMail | null> {
  const content = await readContent(database, claimed);
  if (content.filters.length === 0) return null;
  const token = await unsubscribeToken(database, claimed.accountId);
  const unsubscribe = `${site}/screener/unsubscribe?token=${token}`;
  // The same for every attempt: should two of them arrive after all, a mailbox can see that they are one.
  const messageId = `<${claimed.id.toLowerCase()}@${new URL(site).hostname}>`;
  return { ...screenerMail({ to: claimed.to, siteUrl: site, unsubscribe, ...content }), messageId };
}

async function handOver(
  { database, clock }: Context,
  claimed: ClaimedMail,
  mail: ComposedMail,
  { mailer, log }: Delivery,
): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    const failure = error instanceof MailError ? error : null;
    const now = clock.now();
    // By its id alone: whose address it is, is nothing for a log.
    log.warn({ mail: claimed.id, err: error }, 'screener mail not sent');
    if (failure === null || failure.uncertain) return recordInterrupted(database, claimed, mail.messageId, now);
    if (failure.badAddress) return recordBounced(database, claimed, now);
    if (failure.permanent) return recordUnsent(database, claimed, 'refused', now);
    if (await putBack(database, claimed, now)) throw error;
    return;
  }
  if (!mailer.delivers) return recordUnsent(database, claimed, 'no_mail_server', clock.now());
  await recordSent(database, claimed, mail.messageId, clock.now());
}
