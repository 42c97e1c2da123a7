import assert from 'node:assert/strict';
import { type IdentityContext, sendLink } from '../../../src/identity/index.ts';
import { createLog, createSmtpMailer, type Log, loadConfig, type Mailer } from '../../../src/platform/index.ts';
import { SITE_URL } from '../api/api.ts';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';

/** Identity operations whose mails are sent when the test says so, by the worker's own code to a real mail server. */
export interface Mailbox<Context extends IdentityContext> extends AsyncDisposable {
  readonly identity: Context;
  readonly server: MailServer;
  /** The links whose mail was asked for and not sent yet. */
  readonly waiting: readonly string[];
  /** Sends what was asked for so far; the mails that arrived of it. */
  deliver(log?: Log): Promise<readonly ReceivedMail[]>;
  /** The same for one mail with one link: the link's secret. */
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

/** The secret of the one link in a mail. */
export function secretIn(mail: ReceivedMail | undefined): string {
  assert.equal(mail?.links.length, 1, mail?.text);
  return new URL(mail.links[0] ?? '').searchParams.get('token') ?? '';
}
