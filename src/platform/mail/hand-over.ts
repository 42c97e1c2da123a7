import { Readable } from 'node:stream';
import type { Mail } from './mailer.ts';

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
}

/**
 * Hands one mail to the server and waits for the answer to it. The library's transport would not say whether a lost
 * connection was lost before the mail was sent or after it, and goes on by itself when nobody waits any more.
 *
 * @param limitMs for all of it: a server that sends a byte now and then is never silent, and never done
 */
export async function handOver(options: Connection, mail: Mail & { from: string }, limitMs: number): Promise<void> {
  // Loaded with the first mail: most processes never send one.
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection');
  const { envelope, source } = await written(mail);
  const connection = new SmtpConnection(options);
  let handedOver = false;
  // Read only once the server has answered DATA.
  const message = new Readable({
    read() {
      handedOver = true;
      this.push(source);
      this.push(null);
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settle = (error?: unknown) => (error ? reject(error) : resolve());
  const timer = setTimeout(() => reject({ code: 'ETIMEDOUT' }), limitMs);
  connection.on('error', reject);
  connection.connect((refused?: unknown) => {
    if (refused) return reject(refused);
    const send = () => connection.send(envelope, message, settle);
    const { auth } = options;
    // A server that offers no login is not given one.
    if (auth === undefined || !connection.allowsAuth) return send();
    connection.login({ credentials: auth }, (denied?: unknown) => (denied ? reject(denied) : send()));
  });
  try {
    await promise;
  } catch (error) {
    const { code, command, responseCode, response } = error as HandOverFailure;
    throw { code, command, responseCode, response, handedOver } as HandOverFailure;
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
