import { Readable } from 'node:stream';
import type { Mail, SendOptions } from './mailer.ts';

/** How to reach a mail server, and how long it may be silent. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly tls: { readonly rejectUnauthorized: boolean };
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly dnsTimeout: number;
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
}

/** Why a mail was not taken, in the words of the library. */
export interface HandOverFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  /** Whether the server had said that it wants the mail, so that some or all of it is there. */
  readonly handedOver?: boolean;
  /** Whether it was no longer wanted when the server was ready for it. */
  readonly withdrawn?: boolean;
}

export interface HandOverOptions extends SendOptions {
  /** For all of it: a server that sends a byte now and then is never silent, and never done. */
  readonly limitMs: number;
}

/**
 * Hands one mail to the server and waits for the answer to it. The library's transport would not say whether a lost
 * connection was lost before the mail was sent or after it, and goes on by itself when nobody waits any more.
 */
export async function handOver(
  options: Connection,
  mail: Mail & { from: string },
  { limitMs, isStillWanted = async () => true }: HandOverOptions,
): Promise<void> {
  // Loaded with the first mail: most processes never send one.
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection');
  const { envelope, source } = await written(mail);
  const connection = new SmtpConnection(options);
  let handedOver = false;
  let isOver = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    isOver = true;
    reject(error);
  };
  // Read only once the server has answered DATA.
  const message = new Readable({
    read() {
      const handOverIf = (wanted: boolean) => {
        // Given up while the question was asked, and perhaps not closed yet.
        if (isOver) return;
        if (!wanted) return fail({ code: 'WITHDRAWN', withdrawn: true } satisfies HandOverFailure);
        handedOver = true;
        this.push(source);
        this.push(null);
      };
      isStillWanted().then(handOverIf, () => fail({ code: 'NOT_ASKED' } satisfies HandOverFailure));
    },
  });
  const settle = (error?: unknown) => {
    if (error) return fail(error);
    // A server that thanks for what it has not got.
    if (!handedOver) return fail({ code: 'EPROTOCOL' } satisfies HandOverFailure);
    resolve();
  };
  const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), limitMs);
  connection.on('error', fail);
  connection.connect((refused?: unknown) => {
    if (refused) return fail(refused);
    const send = () => connection.send(envelope, message, settle);
    const { auth } = options;
    // A server that offers no login is not given one.
    if (auth === undefined || !connection.allowsAuth) return send();
    connection.login({ credentials: auth }, (denied?: unknown) => (denied ? fail(denied) : send()));
  });
  try {
    await promise;
  } catch (error) {
    const { code, command, responseCode, response, withdrawn } = error as HandOverFailure;
    throw { code, command, responseCode, response, withdrawn, handedOver } as HandOverFailure;
  } finally {
    clearTimeout(timer);
    // What was not sent until now never will be.
    connection.close();
  }
}

/** The mail as it crosses the wire. */
async function written({ to, images = [], headers, ...mail }: Mail & { from: string }) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    ...mail,
    // As one address, whatever is in it: a comma must not make two of it.
    to: { name: '', address: to },
    // Texts are texts: nothing in them makes the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: images.map(({ cid, filename, png }) => ({ cid, filename, content: png, contentType: 'image/png' })),
    // Nobody reads an answer, and programs that answer by themselves should not try.
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  }).compile();
  return { envelope: node.getEnvelope(), source: await node.build() };
}
