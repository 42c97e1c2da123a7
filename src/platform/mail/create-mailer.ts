import type { Config } from '../config/load-config.ts';
import type { Log } from '../log.ts';
import { count, traced } from '../telemetry/index.ts';
import { MailError, type Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

type MailConfig = Pick<Config, 'mail'>;

/**
 * Creates the mailer according to the settings.
 *
 * @param current returns the settings as they are now, of which the server can have another password
 */
export function createMailer(config: MailConfig, log: Log, current: () => MailConfig = () => config): Mailer {
  const { mail } = config;
  if (mail === undefined) return createLogMailer(log);
  return withTelemetry(createSmtpMailer({ ...mail, server: () => current().mail?.server ?? mail.server }));
}

/** Creates the mailer of a service without a mail server. It writes each email to the log, where the operator finds it. */
export function createLogMailer(log: Log): Mailer {
  return {
    delivers: false,
    send: async ({ to, subject, text }, { isStillWanted = async () => true } = {}) => {
      if (!(await isStillWanted())) throw new MailError('The email was withdrawn.', { withdrawn: true });
      log.info({ mail: { to, subject, text } }, 'mail not sent because ALMANAC_SMTP_URL is not set');
    },
  };
}

/** Makes a mailer count and trace emails, if that is enabled, without their recipients and contents. */
function withTelemetry(mailer: Mailer): Mailer {
  return {
    delivers: mailer.delivers,
    async send(mail, options) {
      let outcome = 'failed';
      try {
        await traced({ name: 'mail', kind: 'client' }, () => mailer.send(mail, options));
        outcome = 'sent';
      } catch (error) {
        if (error instanceof MailError && error.withdrawn) outcome = 'withdrawn';
        throw error;
      } finally {
        count('mails_total', { outcome });
      }
    },
  };
}
