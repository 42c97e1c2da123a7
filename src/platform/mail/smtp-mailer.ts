import { Readable } from 'node:stream';
import type { SmtpServer } from '../config/mail.ts';
import type { Mail, Mailer, SendOptions } from './mailer.ts';
import { type SmtpFailure, toMailError } from './smtp-errors.ts';

export interface SmtpMailerOptions {
  /** A function returns the server as it is now. */
  readonly server: SmtpServer | (() => SmtpServer);
  readonly from: string;
  /** How long the server may be silent. The time limit of one email is twice this time. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** The address of a mail server and the timeouts, in the format of nodemailer. */
interface SmtpConnectionOptions {
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

/** Creates a mailer that opens a connection for each email. */
export function createSmtpMailer({ server, from, timeoutMs = DEFAULT_TIMEOUT_MS }: SmtpMailerOptions): Mailer {
  const connectionOptions = () => ({
    ...buildConnectionOptions(typeof server === 'function' ? server() : server),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    delivers: true,
    async send(mail, options) {
      try {
        await deliver(connectionOptions(), { from, ...mail }, { ...options, limitMs: 2 * timeoutMs });
      } catch (error) {
        throw toMailError(error as SmtpFailure);
      }
    },
  };
}

/** Returns the connection options of a server. A password is sent over a network only if the connection is encrypted. */
export function buildConnectionOptions({ host, port, secure, user, password, loopback }: SmtpServer) {
  return {
    host,
    port,
    secure,
    requireTLS: !secure && user !== undefined && !loopback,
    // A connection on this machine cannot be intercepted, and its certificate is usually self-signed.
    tls: { rejectUnauthorized: !loopback },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
  };
}

interface DeliverOptions extends SendOptions {
  /**
   * The time limit for the whole delivery. A server that sends a byte now and then does not exceed the other timeouts.
   */
  readonly limitMs: number;
}

/**
 * Sends an email and waits for the reply of the server. It does not use the library's transport. The transport does not
 * report whether a connection was lost before or after the email was sent, and it continues after the caller's timeout.
 */
async function deliver(
  options: SmtpConnectionOptions,
  mail: Mail & { from: string },
  { limitMs, isStillWanted = async () => true }: DeliverOptions,
): Promise<void> {
  // Loaded with the first email, because most processes send none.
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection');
  const { envelope, source } = await compose(mail);
  const connection = new SmtpConnection(options);
  let wasSent = false;
  let isOver = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    isOver = true;
    reject(error);
  };
  // The message is read only after the server has accepted DATA.
  const message = new Readable({
    read() {
      const sendIfWanted = (isWanted: boolean) => {
        // The delivery may have failed during the check, with the connection still open.
        if (isOver) return;
        if (!isWanted) return fail({ code: 'WITHDRAWN', withdrawn: true } satisfies SmtpFailure);
        wasSent = true;
        this.push(source);
        this.push(null);
      };
      isStillWanted().then(sendIfWanted, () => fail({ code: 'NOT_ASKED' } satisfies SmtpFailure));
    },
  });
  const settle = (error?: unknown) => {
    if (error) return fail(error);
    // The server accepted an email that was not sent.
    if (!wasSent) return fail({ code: 'EPROTOCOL' } satisfies SmtpFailure);
    resolve();
  };
  const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), limitMs);
  connection.on('error', fail);
  connection.connect((refused?: unknown) => {
    if (refused) return fail(refused);
    const send = () => connection.send(envelope, message, settle);
    const { auth } = options;
    // No credentials are sent to a server that does not offer a login.
    if (auth === undefined || !connection.allowsAuth) return send();
    connection.login({ credentials: auth }, (denied?: unknown) => (denied ? fail(denied) : send()));
  });
  try {
    await promise;
  } catch (error) {
    const { code, command, responseCode, response, withdrawn } = error as SmtpFailure;
    throw { code, command, responseCode, response, withdrawn, wasSent } as SmtpFailure;
  } finally {
    clearTimeout(timer);
    // Ensures that nothing is sent after this point.
    connection.close();
  }
}

/** Returns the envelope and the source of an email. */
async function compose({ to, images = [], headers, ...mail }: Mail & { from: string }) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    ...mail,
    // Passed as an object, so that an address with a comma is not split into two.
    to: { name: '', address: to },
    // The text of an email must not make the library read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: images.map(({ cid, filename, png }) => ({ cid, filename, content: png, contentType: 'image/png' })),
    // Replies are not read, so automatic responders should not reply.
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  }).compile();
  return { envelope: node.getEnvelope(), source: await node.build() };
}
