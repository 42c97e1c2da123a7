import type { Log } from '../log.ts';
import { MailError, type Mailer } from './mailer.ts';

/** For a service without a mail server: whoever runs it finds each mail, with its link, in the log. */
export function createLogMailer(log: Log): Mailer {
  return {
    delivers: false,
    send: async ({ to, subject, text }, { isStillWanted = async () => true } = {}) => {
      if (!(await isStillWanted())) throw new MailError('The mail was no longer wanted.', { withdrawn: true });
      log.info({ mail: { to, subject, text } }, 'mail (ALMANAC_SMTP_URL is not set, so it was not sent)');
    },
  };
}
