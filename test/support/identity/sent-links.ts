import { sendLink } from '../../../src/identity/index.ts';
import type { IdentityTables } from '../../../src/identity/tables.ts';
import { createLog, type Mail } from '../../../src/platform/index.ts';
import { SITE_URL, type TestApi } from '../api/api.ts';

const log = createLog('silent');

/** Sends the queued emails as the worker does, and returns them. */
export async function sendMails({ identity }: Pick<TestApi, 'identity'>): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { delivers: true, send: async (mail: Mail) => void mails.push(mail) };
  const pending = await identity.database
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select('id')
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of pending) await sendLink(identity, { linkId: id }, { mailer, siteUrl: () => SITE_URL, log });
  return mails;
}

/** Returns the only link of an email, as a path of the site. */
export function linkIn({ text }: Pick<Mail, 'text'>): string {
  const [link, ...others] = text.match(/https?:\/\/\S+\?token=\S+/g) ?? [];
  if (link === undefined || others.length > 0) throw new Error(`The email does not have exactly one link: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
