import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createFoundation, createIdentityContext, MIGRATIONS, QUEUES, startWorker } from '../../src/compose/index.ts';
import {
  MAIL_QUEUE,
  redeemReset,
  redeemVerification,
  requestPasswordReset,
  requestSignUp,
  startMailWorker,
} from '../../src/identity/index.ts';
import { createLog, openQueue, systemClock } from '../../src/platform/index.ts';
import { openApi, SITE_URL } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { EMPTY_FOLDER, waitFor } from '../support/forecasts/forecast-service.ts';
import { makeAccount, PASSWORD, withSession } from '../support/identity/callers.ts';
import { confirmSignUp } from '../support/identity/confirm-sign-up.ts';
import { forEachDatabase, type TestDatabase } from '../support/platform/database.ts';
import { type MailServer, startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo, secretIn } from '../support/platform/mailbox.ts';
import { tablesContaining } from '../support/platform/rows.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

const options = { migrations: MIGRATIONS, queue: true };

/** Opens the service with its own worker, composed as at startup. */
async function openService(fixture: TestDatabase, environment: Record<string, string>) {
  const { database } = fixture;
  const config = loadTestConfig({ NODE_ENV: 'test', SITE_URL, ALMANAC_DATA: EMPTY_FOLDER, ...environment });
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  const foundation = createFoundation({ config, log, database });
  const worker = await startWorker(foundation);
  fixture.cleanup(() => worker.stop({ timeoutMs: 1_000 }));
  const api = await openApi(database, {}, undefined, worker.queue, foundation.checkpoints);
  fixture.cleanup(() => api.app.close());
  return { app: api.app, identity: api.identity, logged: () => lines.join('') };
}

function smtp(server: MailServer): Record<string, string> {
  return { ALMANAC_SMTP_URL: server.url('almanac:hunter2'), ALMANAC_MAIL_FROM: 'Almanac <almanac@mail.example>' };
}

forEachDatabase('sends the email of a request through the queue to the mail server', options, async (fixture) => {
  await using server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => done(null, password === 'hunter2' ? { user: 'almanac' } : {}),
  });
  const { app, identity, logged } = await openService(fixture, smtp(server));
  const browser = { userAgent: 'a browser' };
  const old = await makeAccount(identity, { plan: 'free', verified: false });

  const asked = await requestAs(app, await withSession(identity, old.email))('POST', '/v1/me/verification');
  assert.equal(asked.status, 202);
  const [verification] = await server.mailsTo(old.email);
  assert.ok(verification?.links[0]?.startsWith(`${SITE_URL}/auth/verify?token=`));
  assert.deepEqual(await redeemVerification(identity, secretIn(verification)), { email: old.email });

  await requestPasswordReset(identity, { email: old.email });
  await requestPasswordReset(identity, { email: 'unknown@example.org' });
  const [, reset] = await server.mailsTo(old.email, 2);
  const secret = secretIn(reset);
  assert.deepEqual(await tablesContaining(fixture.database, secret), [], 'the queue stores no secret');
  assert.ok(await redeemReset(identity, secret, { ...browser, password: 'another horse battery' }));

  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: '/save' });
  const [signUp] = await server.mailsTo('new@example.org');
  const session = await confirmSignUp(identity, secretIn(signUp), browser);
  const cookie = `__Host-almanac_session=${session?.secret}`;
  const access = await requestAs(app, { cookie })<{ user: { email: string } }>('GET', '/v1/me/access');
  assert.equal(access.data.user.email, 'new@example.org');
  assert.equal(server.mails.length, 3, 'an address without an account gets nothing');
  assert.doesNotMatch(logged(), /hunter2|@example\.org|alm_lnk_/);
});

forEachDatabase('logs the link without a mail server', { ...options, only: 'pglite' }, async (fixture) => {
  const { identity, logged } = await openService(fixture, {});
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const text = await waitFor(
    async () => logged(),
    (lines) => lines.includes('alm_lnk_'),
  );
  const secret = /token=(alm_lnk_\w+)/.exec(text)?.[1] ?? '';
  assert.ok(await confirmSignUp(identity, secret));
});

forEachDatabase(
  'retries an email that the server rejects temporarily',
  { ...options, only: 'pglite' },
  async (fixture) => {
    let refusals = 1;
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        refusals-- > 0 ? done(Object.assign(new Error('busy'), { responseCode: 450 })) : done(),
    });
    // The same queue without the delay between two attempts.
    const withoutDelay = { ...MAIL_QUEUE, retryDelaySeconds: 0, retryBackoff: false };
    const queues = QUEUES.map((queue) => (queue.name === MAIL_QUEUE.name ? withoutDelay : queue));
    const queue = await openQueue(fixture.database, { queues, supervise: false });
    fixture.cleanup(() => queue.stop({ timeoutMs: 1_000 }));
    const identity = createIdentityContext({ database: fixture.database, clock: systemClock }, queue);
    const delivery = { mailer: mailerTo(server.url()), siteUrl: () => SITE_URL, log: createLog('silent') };
    await startMailWorker(identity, queue, delivery);
    await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
    const [mail] = await server.mailsTo('new@example.org');
    assert.equal(refusals, -1, 'the second attempt');
    assert.ok(await confirmSignUp(identity, secretIn(mail)));
    assert.deepEqual(
      await tablesContaining(fixture.database, '<new@example.org>'),
      [],
      'the job stores no reply of the server',
    );
  },
);

forEachDatabase('a request that is rolled back sends no email', { ...options, only: 'pglite' }, async (fixture) => {
  await using server = await startMailServer();
  const { identity } = await openService(fixture, { ...smtp(server), ALMANAC_SMTP_URL: server.url() });
  const failing = {
    ...identity,
    requestMail: async (...request: Parameters<typeof identity.requestMail>) => {
      await identity.requestMail(...request);
      throw new Error('undone');
    },
  };
  await assert.rejects(
    requestSignUp(failing, { email: 'a@example.org', password: PASSWORD, returnTo: null }),
    /undone/,
  );
  await requestSignUp(identity, { email: 'b@example.org', password: PASSWORD, returnTo: null });
  await server.mailsTo('b@example.org');
  assert.deepEqual(
    server.mails.flatMap(({ recipients }) => recipients),
    ['b@example.org'],
  );
});
