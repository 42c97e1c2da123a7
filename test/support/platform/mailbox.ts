import assert from 'node:assert/strict';
import { type IdentityContext, sendLink } from '../../../src/identity/index.ts';
import { createLog, createSmtpMailer, type Log, loadConfig, type Mailer } from '../../../src/platform/index.ts';
import { SITE_URL } from '../api/api.ts';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';

/** Identity operations whose emails a test sends explicitly, with the worker's code and a real mail server. */
export interface Mailbox<Context extends IdentityContext> extends AsyncDisposable {
  readonly identity: Context;
  readonly server: MailServer;
  /** The links whose email was requested and not sent. */
  readonly waiting: readonly string[];
  /** Sends the requested emails and returns those that arrived. */
  deliver(log?: Log): Promise<readonly ReceivedMail[]>;
  /** Sends the one requested mail and returns the secret of its link. */
  nextSecret(): Promise<string>;
}

export async function openMailbox<Context extends IdentityContext>(context: Context): Promise<Mailbox<Context>> {
  const server = await startMailServer();
  const waiting: string[] = [];
  const mailer = mailerTo(server.url());
  const requestMail: IdentityContext['requestMail'] = async (_tx, linkId) => {
    waiting.push(linkId);
  };
  const identity = { ...context, requestMail };
  const deliver = async (log = createLog('silent')) => {
    const before = server.mails.length;
    for (const linkId of waiting.splice(0))
      await sendLink(identity, { linkId }, { mailer, siteUrl: () => SITE_URL, log });
    return server.mails.slice(before);
  };
  return {
    identity,
    server,
    waiting,
    deliver,
    async nextSecret() {
      const mails = await deliver();
      assert.equal(mails.length, 1);
      return secretIn(mails[0]);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function mailerTo(url: string): Mailer {
  const { mail } = loadConfig({ ALMANAC_SMTP_URL: url, ALMANAC_MAIL_FROM: 'Almanac <almanac@mail.example>' });
  assert.ok(mail);
  return createSmtpMailer(mail);
}

/** Returns the secret of the only link in an email. */
export function secretIn(mail: ReceivedMail | undefined): string {
  assert.equal(mail?.links.length, 1, mail?.text);
  return new URL(mail.links[0] ?? '').searchParams.get('token') ?? '';
}
