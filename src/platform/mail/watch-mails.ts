import { count, traced } from '../telemetry/index.ts';
import type { Mailer } from './mailer.ts';

/** The mailer, whose mails are counted and traced when that is asked for. Neither says to whom or what. */
export function watchMails(mailer: Mailer): Mailer {
  return {
    delivers: mailer.delivers,
    async send(mail) {
      let outcome = 'failed';
      try {
        await traced({ name: 'mail', kind: 'client' }, () => mailer.send(mail));
        outcome = 'sent';
      } finally {
        count('mails_total', { outcome });
      }
    },
  };
}
