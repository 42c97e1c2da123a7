import { count, traced } from '../telemetry/index.ts';
import { MailError, type Mailer } from './mailer.ts';

/** The mailer, whose mails are counted and traced when that is asked for. Neither says to whom or what. */
export function watchMails(mailer: Mailer): Mailer {
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
