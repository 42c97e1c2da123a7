import { sql } from 'kysely';
import type { WebhookOffReason } from '../../contract/index.ts';
import type { Delivery } from '../../identity/index.ts';
import { type Clock, type Database, MailError } from '../../platform/index.ts';
import { JOIN_OWNER } from './claim-delivery.ts';

interface OffWebhook {
  readonly url: string;
  readonly reason: WebhookOffReason | null;
  readonly email: string;
  readonly workspace: string | null;
}

/**
 * Sends the email to the owner of a webhook that the service turned off. Throws if the job should be retried. Sends nothing
 * if the webhook was deleted or turned on since, or if its owner cannot get emails.
 */
export async function sendOffMail(
  { database }: { readonly database: Database; readonly clock: Clock },
  webhookId: string,
  { mailer, siteUrl, log }: Delivery,
): Promise<void> {
  const site = siteUrl();
  if (site === '') throw new Error('The URL of the site is not known yet. The email will be sent later.');
  const { rows } = await sql<OffWebhook>`
    SELECT webhook.url, off_reason AS reason, account.email, workspace.slug AS workspace
    FROM webhook ${JOIN_OWNER}
    WHERE webhook.id = ${webhookId} AND off_reason IN ('failing', 'gone')
      AND account.email_verified AND account.bounced_at IS NULL AND account.locked_at IS NULL`.execute(
    database.query(),
  );
  const [webhook] = rows;
  if (webhook === undefined) return;
  try {
    await mailer.send(composeMail(webhook, site, webhookId));
  } catch (error) {
    if (!(error instanceof MailError) || !error.permanent) throw error;
    log.warn({ webhook: webhookId, err: error }, 'mail not sent: the mail server rejected it permanently');
  }
}

const REASONS: Readonly<Partial<Record<WebhookOffReason, string>>> = {
  failing: 'For a week, no request to it got a reply with a 2xx status.',
  gone: 'Its receiver replied 410 Gone.',
};

function composeMail({ url, reason, email, workspace }: OffWebhook, site: string, webhookId: string) {
  const path = workspace === null ? '/auth/account/webhooks' : `/workspaces/${workspace}/webhooks`;
  return {
    to: email,
    subject: 'A webhook of Almanac was turned off',
    text: [
      `The webhook to ${new URL(url).host} was turned off. ${reason === null ? '' : (REASONS[reason] ?? '')}`,
      'Events that happen while it is off are not sent later. Deliveries of the last 30 days can be replayed.',
      `See the replies and turn it on again:\n${site}${path}/${webhookId}`,
    ].join('\n\n'),
  };
}
