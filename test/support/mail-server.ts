import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  /** Who it was for by its envelope, whatever its headers say. */
  readonly recipients: readonly string[];
  /** Its header lines, unfolded. */
  readonly headers: readonly string[];
  readonly text: string;
  /** Every link in it, in order. */
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
  /** The mails to an address, once there are `count` of them. */
  mailsTo(address: string, count?: number): Promise<readonly ReceivedMail[]>;
}

/** Takes any mail without a login and in the clear, unless the options say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
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
        mails.push({ recipients, user, encrypted: session.secure === true, ...parsed(source) });
        arrived.resolve();
        arrived = Promise.withResolvers<void>();
        done();
      }, done);
    },
  });
  // A client that goes away in the middle is part of the tests.
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

/** Only what the service writes: one part of plain text. */
function parsed(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'links'> {
  const end = source.indexOf('\r\n\r\n');
  const headers = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const body = source.slice(end + 4).replaceAll('\r\n', '\n');
  const encoding = /^content-transfer-encoding: (\S+)$/i;
  const [, coded = '7bit'] = headers.map((line) => encoding.exec(line)).find((match) => match !== null) ?? [];
  const text = decoded(body, coded.toLowerCase());
  return { headers, text, links: text.match(/https?:\/\/[^\s()]+\?token=\S+/g) ?? [] };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
