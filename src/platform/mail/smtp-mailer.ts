import type { SmtpServer } from '../config/index.ts';
import { type Mail, MailError, type Mailer } from './mailer.ts';

export interface SmtpMailerOptions {
  readonly server: SmtpServer;
  readonly from: string;
  /** How long the server may be silent, and half of how long one mail may take. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;

/** Hands mails to a mail server, over a connection for each. */
export function createSmtpMailer({ server, from, patienceMs = PATIENCE_MS }: SmtpMailerOptions): Mailer {
  return {
    async send(mail) {
      try {
        await withinTime(sendMail(server, { from, ...mail }, patienceMs), 2 * patienceMs);
      } catch (error) {
        throw toMailError(error as SmtpFailure);
      }
    },
  };
}

async function sendMail(server: SmtpServer, mail: Mail & { from: string }, patienceMs: number): Promise<void> {
  // Loaded with the first mail: most processes never send one.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionTo(server), ...timeouts(patienceMs) });
  await transport.sendMail({
    ...mail,
    // As one address, whatever is in it: a comma must not make two of it.
    to: { name: '', address: mail.to },
    // Texts are texts: nothing in them makes the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    // Nobody reads an answer, and programs that answer by themselves should not try.
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
}

/** How to reach the server. A password crosses a network encrypted, or not at all. */
export function connectionTo({ host, port, secure, user, password, loopback }: SmtpServer) {
  return {
    host,
    port,
    secure,
    requireTLS: !secure && user !== undefined && !loopback,
    // On this machine nobody is in between, and certificates are home-made more often than not.
    tls: { rejectUnauthorized: !loopback },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
  };
}

function timeouts(patienceMs: number) {
  return {
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  };
}

/** A server that sends a byte now and then is never silent, and never done. */
async function withinTime(sending: Promise<void>, limitMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject({ code: 'ETIMEDOUT' }), limitMs);
  try {
    await Promise.race([sending, promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** What the server said is left out, because it repeats the recipient; and so is the cause, which may hold more. */
function toMailError({ code, command, responseCode }: SmtpFailure): MailError {
  const what = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  // A login or a sender that is refused is for whoever runs the service to put right; the mail can wait for that.
  const ofThisMail = command === 'RCPT TO' || command === 'DATA';
  const refused = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return new MailError(`The mail server did not take the mail (${what || 'no reason given'}).`, {
    permanent: ofThisMail && refused,
  });
}
