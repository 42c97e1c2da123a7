import type { SmtpServer } from '../config/index.ts';
import { type HandOverFailure, handOver } from './hand-over.ts';
import { MailError, type Mailer } from './mailer.ts';

export interface SmtpMailerOptions {
  readonly server: SmtpServer;
  readonly from: string;
  /** How long the server may be silent, and half of how long one mail may take. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;

/** Hands mails to a mail server, over a connection for each. */
export function createSmtpMailer({ server, from, patienceMs = PATIENCE_MS }: SmtpMailerOptions): Mailer {
  const connection = { ...connectionTo(server), ...timeouts(patienceMs) };
  return {
    delivers: true,
    async send(mail) {
      try {
        await handOver(connection, { from, ...mail }, 2 * patienceMs);
      } catch (error) {
        throw toMailError(error as HandOverFailure);
      }
    },
  };
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

/** What the server said is left out, because it repeats the recipient; and so is the cause, which may hold more. */
function toMailError(failure: HandOverFailure): MailError {
  const { code, command, responseCode, handedOver } = failure;
  const what = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  // A login or a sender that is refused is for whoever runs the service to put right; the mail can wait for that.
  const ofThisMail = command === 'RCPT TO' || command === 'DATA';
  const refused = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return new MailError(`The mail server did not take the mail (${what || 'no reason given'}).`, {
    permanent: ofThisMail && refused,
    badAddress: command === 'RCPT TO' && refused && isAboutAddress(failure),
    // An answer to the mail itself is certain. Anything else that happens after it was sent leaves it open.
    uncertain: handedOver === true && command !== 'DATA',
  });
}

/**
 * Whether a refused recipient is one that does not exist (RFC 3463: 5.1.x, and 5.2.1 for one that was closed). A full
 * mailbox is not, and neither is a server that does not like the sender. Few servers say nothing.
 */
function isAboutAddress({ response = '', responseCode }: HandOverFailure): boolean {
  const [, detail] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (detail === undefined) return responseCode !== 552 && responseCode !== 554;
  return detail.startsWith('5.1.') || detail === '5.2.1';
}
