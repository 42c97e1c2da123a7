import type { SmtpServer } from '../config/index.ts';
import { type HandOverFailure, handOver } from './hand-over.ts';
import type { Mailer } from './mailer.ts';
import { toMailError } from './to-mail-error.ts';

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
    async send(mail, options) {
      try {
        await handOver(connection, { from, ...mail }, { ...options, limitMs: 2 * patienceMs });
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
