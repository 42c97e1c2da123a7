import { sendNotificationMail } from '../../../src/notifications/index.ts';
import { createLog, createSmtpMailer, loadConfig, openDatabase } from '../../../src/platform/index.ts';
import { movableClock } from '../identity/identity.ts';

// A worker that is killed after the mail server has accepted the email and before that is recorded.
const [, , url = '', smtpUrl = '', mailId = ''] = process.argv;
const { mail } = loadConfig({ ALMANAC_SMTP_URL: smtpUrl, ALMANAC_MAIL_FROM: 'almanac@mail.example' });
if (!mail) throw new Error('ALMANAC_SMTP_URL is not set.');
const smtpMailer = createSmtpMailer(mail);
const database = await openDatabase({ url });
const mailer: typeof smtpMailer = {
  delivers: true,
  async send(message, options) {
    await smtpMailer.send(message, options);
    process.kill(process.pid, 'SIGKILL');
    // Blocks until the signal is delivered.
    await new Promise(() => {});
  },
};
const delivery = { mailer, siteUrl: () => 'http://127.0.0.1:8080', log: createLog('silent') };
const queue = { enqueue: async () => null, enqueueAll: async () => {}, complete: async () => true };
await sendNotificationMail(
  { database, clock: movableClock(), queue },
  { mailId, job: { id: 'job', attempt: 0 } },
  delivery,
);
