import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type MailPart, mailParts } from './mail-parts.ts';

/** A received mail. */
export interface ReceivedMail {
  /** The recipients of the envelope. */
  readonly recipients: readonly string[];
  /** Its header lines, unfolded. */
  readonly headers: readonly string[];
  /** All parts, such as HTML and images. */
  readonly parts: readonly MailPart[];
  /** The plain text part. */
  readonly text: string;
  /** The links of the text, in order. */
  readonly links: readonly string[];
  readonly user: string | undefined;
  readonly encrypted: boolean;
}

/** A real mail server on a port of this machine. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** For ALMANAC_SMTP_URL, with or without `user:password`. */
  url(credentials?: string): string;
  readonly mails: readonly ReceivedMail[];
  /** Resolves with the emails to an address once there are `count` of them. */
  mailsTo(address: string, count?: number): Promise<readonly ReceivedMail[]>;
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Returns its reply to a received mail: an error, nothing at all, or undefined to accept it. */
  readonly reply?: () => Error | 'nothing' | undefined;
}

/** Starts a mail server that accepts any email without a login or encryption, unless the options differ. */
export async function startMailServer({ reply, ...options }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    ...options,
    onData: (stream, session, done) => {
      readText(stream).then((source) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        const user = typeof session.user === 'string' ? session.user : undefined;
        mails.push({ recipients, user, encrypted: session.secure === true, ...parseMail(source) });
        arrived.resolve();
        arrived = Promise.withResolvers<void>();
        const result = reply?.();
        if (result !== 'nothing') done(result);
      }, done);
    },
  });
  // Some tests disconnect in the middle.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    url: (credentials) => `smtp://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    async mailsTo(address, count = 1) {
      for (;;) {
        const found = mails.filter(({ recipients }) => recipients.includes(address));
        if (found.length >= count) return found;
        await arrived.promise;
      }
    },
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}

function parseMail(source: string): Pick<ReceivedMail, 'headers' | 'parts' | 'text' | 'links'> {
  const end = source.indexOf('\r\n\r\n');
  const headers = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const parts = mailParts(source);
  const text = parts.find(({ type }) => type === 'text/plain')?.bytes.toString('utf8') ?? '';
  return { headers, parts, text, links: text.match(/https?:\/\/[^\s()]+\?token=\S+/g) ?? [] };
}
