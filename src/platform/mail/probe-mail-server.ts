import type { SmtpServer } from '../config/mail.ts';
import { buildConnectionOptions } from './smtp-mailer.ts';

/**
 * Connects to the mail server as an email would, greets it, starts TLS and signs in, and sends nothing. Rejects with the
 * error of nodemailer. Returns whether it signed in: a server that offers no sign-in gets emails without one.
 */
export async function probeMailServer(server: SmtpServer, timeoutMs: number): Promise<{ hasSignedIn: boolean }> {
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection');
  const { auth, ...options } = buildConnectionOptions(server);
  const limits = { dnsTimeout: timeoutMs, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs };
  const connection = new SmtpConnection({ ...options, ...limits, socketTimeout: timeoutMs });
  const { promise, resolve, reject } = Promise.withResolvers<{ hasSignedIn: boolean }>();
  const settle = (hasSignedIn: boolean) => (error?: unknown) => (error ? reject(error) : resolve({ hasSignedIn }));
  const timer = setTimeout(
    () => reject(Object.assign(new Error('The server is silent.'), { code: 'ETIMEDOUT' })),
    timeoutMs,
  );
  connection.on('error', reject);
  connection.connect((refused?: unknown) => {
    if (refused || auth === undefined || !connection.allowsAuth) return settle(false)(refused);
    connection.login({ credentials: auth }, settle(true));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    // An error while it closes has no reader.
    connection.on('error', () => undefined);
    connection.quit();
    connection.close();
  }
}
