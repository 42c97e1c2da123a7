import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { createMailer } from './create-mailer.ts';

test('writes an email with its link to the log without a mail server', async () => {
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (chunk) => lines.push(String(chunk)));
  const mailer = createMailer(loadConfig({}), createLog('info', sink));
  const text = 'Open https://almanac.example/auth/verify?token=alm_lnk_abc\n';
  await mailer.send({ to: 'a@example.org', subject: 'Verify', text });
  const line = JSON.parse(lines.join(''));
  assert.equal(line.level, 30);
  assert.deepEqual(line.mail, { to: 'a@example.org', subject: 'Verify', text });
  assert.match(line.msg, /ALMANAC_SMTP_URL is not set/);
  lines.length = 0;
  const unwanted = mailer.send({ to: 'a@example.org', subject: 'Verify', text }, { isStillWanted: async () => false });
  await assert.rejects(unwanted, { name: 'MailError', withdrawn: true });
  assert.deepEqual(lines, []);
});
