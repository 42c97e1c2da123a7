import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { startMailServer } from '../../../test/support/platform/mail-server.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { beginTrace, runInSpan } from '../telemetry/index.ts';
import { createMailer } from './create-mailer.ts';

const MAIL = { to: 'alice@example.org', subject: 'For alice', text: 'A line for alice.\n' };

test('counts and traces emails without their recipients and contents', async () => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  await using server = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('absent') ? Object.assign(new Error(`no ${address}`), { responseCode: 550 }) : null),
  });
  const config = loadConfig({ ALMANAC_SMTP_URL: server.url(), ALMANAC_MAIL_FROM: 'almanac@mail.example' });
  const mailer = createMailer(config, createLog('silent'));
  const span = beginTrace({ name: 'above', kind: 'consumer' });
  assert.ok(span);
  await runInSpan(span, async () => {
    await mailer.send(MAIL);
    await assert.rejects(mailer.send({ ...MAIL, to: 'absent@example.org' }), { name: 'MailError' });
    await assert.rejects(mailer.send(MAIL, { isStillWanted: async () => false }), { withdrawn: true });
  });
  const page = await telemetry.page();
  const text = await telemetry.pageText();
  await telemetry.stop();

  assert.equal(page.value('almanac_mails_total', { outcome: 'sent' }), 1);
  assert.equal(page.value('almanac_mails_total', { outcome: 'failed' }), 1);
  assert.equal(page.value('almanac_mails_total', { outcome: 'withdrawn' }), 1);
  const above = collector.spans().find(({ name }) => name === 'above');
  const mails = collector.spans().filter(({ name }) => name === 'mail');
  assert.deepEqual(
    mails.map(({ parentSpanId, isError, attributes }) => [parentSpanId, isError, attributes]),
    [
      [above?.spanId, false, {}],
      [above?.spanId, true, { 'error.type': 'MailError' }],
      [above?.spanId, true, { 'error.type': 'MailError' }],
    ],
  );
  assert.doesNotMatch(`${collector.received()}${text}${telemetry.logged()}`, /alice|absent/);
});
