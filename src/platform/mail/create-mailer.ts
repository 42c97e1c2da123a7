import type { Config } from '../config/load-config.ts';
import type { Log } from '../log.ts';
import { count, traced } from '../telemetry/index.ts';
import { MailError, type Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** Creates the mailer according to the settings. */
export function createMailer({ mail }: Pick<Config, 'mail'>, log: Log): Mailer {
  return mail ? withTelemetry(createSmtpMailer(mail)) : createLogMailer(log);
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
