export { createMailer } from './create-mailer.ts';
export { createLogMailer } from './log-mailer.ts';
export { type Mail, MailError, type Mailer, type MailImage, type SendOptions } from './mailer.ts';
export { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts';
