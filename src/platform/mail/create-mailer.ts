import type { Config } from '../config/index.ts';
import type { Log } from '../log.ts';
import { createLogMailer } from './log-mailer.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';
import { watchMails } from './watch-mails.ts';

/** The way mails leave this process, by its settings. */
export function createMailer({ mail }: Pick<Config, 'mail'>, log: Log): Mailer {
  return mail ? watchMails(createSmtpMailer(mail)) : createLogMailer(log);
}
