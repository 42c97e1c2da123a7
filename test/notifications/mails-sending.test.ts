import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { markVerified, readBouncedAt } from '../../src/identity/index.ts';
import { readMailDelivery, sendNotificationMail } from '../../src/notifications/index.ts';
import { MAX_ATTEMPTS } from '../../src/notifications/mails/end-mail.ts';
import { createLog, createLogMailer, type Mailer } from '../../src/platform/index.ts';
import { MAIL_DATABASE, type MailScene, openMailScene, type Reader } from '../support/notifications/mail-scene.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { type MailServer, startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** Starts a server that replies to each RCPT TO as `reply` decides. */
const startRcptServer = (reply: () => Error | undefined) =>
  startMailServer({ onRcptTo: (_to, _session, done) => done(reply()) });

async function closedMailer(): Promise<Mailer> {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  return mailerTo(server.url());
}

/** Asserts that an email ended in a state, that it is not sent again, and that the next event is in another email. */
async function assertOver(scene: MailScene, reader: Reader, state: string, server: MailServer): Promise<void> {
  assert.deepEqual(await scene.states(reader), [state]);
  const before = server.mails.length;
  const [mail] = await scene.mails(reader);
  await scene.send(mail?.id ?? '', mailerTo(server.url()));
  assert.deepEqual([await scene.states(reader), server.mails.length], [[state], before]);
  const next = await scene.complete(reader);
  assert.equal(await scene.sendNext(reader, mailerTo(server.url())), 10);
  assert.deepEqual(server.mails.at(-1)?.text.match(/ef_\w+/g), [next]);
}

forEachDatabase(
  'tries a mail server that is down eight times over the day and then stops',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    await scene.complete(reader);
    const mailer = await closedMailer();
    const waits: (number | null)[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      waits.push(await scene.sendNext(reader, mailer));
      assert.deepEqual(await scene.states(reader), [`${attempt < 8 ? 'queued' : 'failed'} ${attempt}`]);
      const [mail] = await scene.mails(reader);
      if (attempt < 8) assert.deepEqual((await scene.jobs()).at(-1)?.start, mail?.send_at);
    }
    assert.deepEqual(waits, [1, 1, 5, 15, 60, 120, 240, 480]);
    assert.equal((await scene.jobs()).length, 8, 'one job for each attempt');
    await using server = await startMailServer();
    await assertOver(scene, reader, 'failed 8', server);
  },
);

forEachDatabase(
  'sends an email once to a server that accepts it later, with what happened since',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const errors = [smtpError(451, '4.7.1 greylisted'), smtpError(421, '4.3.2 busy')];
    await using server = await startRcptServer(() => errors.shift());
    const ids = [await scene.complete(reader)];
    for (const wait of [1, 1, 5]) {
      assert.equal(await scene.sendNext(reader, mailerTo(server.url())), wait);
      if (errors.length === 1) ids.push(await scene.complete(reader));
    }
    assert.deepEqual(await scene.states(reader), ['sent 3']);
    assert.deepEqual(server.mails.flatMap(({ text }) => text.match(/ef_\w+/g)).sort(), ids.sort());
  },
);

forEachDatabase('ends an email that is rejected for its content', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  const errors = [smtpError(554, '5.7.1 spam')];
  await using server = await startMailServer({ reply: () => errors.shift() });
  await scene.complete(reader);
  await scene.sendNext(reader, mailerTo(server.url()));
  assert.equal(await readBouncedAt(scene.database, reader.id), null);
  await assertOver(scene, reader, 'failed 1', server);
});

forEachDatabase('suspends emails to a mailbox that does not exist', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  await using server = await startRcptServer(() => smtpError(550, '5.1.1 unknown'));
  await scene.complete(reader);
  await scene.sendNext(reader, mailerTo(server.url()));
  assert.deepEqual(await scene.states(reader), ['failed 1']);
  const choice = { forecasts: true, outcomes: true };
  const since = scene.clock.now();
  assert.deepEqual(await readMailDelivery(scene.database, reader.id, choice), { state: 'suspended', since });
  await scene.complete(reader);
  assert.equal((await scene.mails(reader)).length, 1, 'nothing more');
  await markVerified(scene.identity, reader.email);
  assert.deepEqual(await readMailDelivery(scene.database, reader.id, choice), { state: 'on', since: null });
  await using working = await startMailServer();
  await assertOver(scene, reader, 'failed 1', working);
});

/** Starts a server that closes the connection when it has received the text of an email, without a reply. */
async function startCuttingServer(): Promise<{ readonly url: string; readonly texts: string[] } & AsyncDisposable> {
  const texts: string[] = [];
  const server = createServer((socket) => {
    let isText = false;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (isText) {
        texts.push(String(chunk));
        if (texts.join('').endsWith('\r\n.\r\n')) socket.destroy();
        return;
      }
      isText = String(chunk).startsWith('DATA');
      socket.write(isText ? '354 continue\r\n' : '250 fine\r\n');
    });
    socket.write('220 mail.example\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((closed) => server.close(() => closed()));
  return { url: `smtp://127.0.0.1:${port}`, texts, [Symbol.asyncDispose]: close };
}

forEachDatabase(
  'never sends an email again if the connection is cut after the text',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const forecast = await scene.complete(reader);
    await using cutting = await startCuttingServer();
    await scene.sendNext(reader, mailerTo(cutting.url));
    assert.ok(cutting.texts.join('').includes(forecast));
    await using server = await startMailServer();
    await assertOver(scene, reader, 'unknown 1', server);
  },
);

forEachDatabase(
  'an unexpected error of the mailer means that the email may have arrived',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    await using server = await startMailServer();
    const mailer = mailerTo(server.url());
    await scene.complete(reader);
    await scene.sendNext(reader, {
      delivers: true,
      async send(mail, options) {
        await mailer.send(mail, options);
        throw new TypeError('unexpected, after the email was accepted');
      },
    });
    await assertOver(scene, reader, 'unknown 1', server);
  },
);

forEachDatabase('writes an email to the log if there is no mail server', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (line) => lines.push(String(line))),
  );
  const forecast = await scene.complete(reader);
  await scene.sendNext(reader, createLogMailer(log));
  assert.ok(lines.join('').includes(`/forecasts/${forecast}`));
  await using server = await startMailServer();
  await assertOver(scene, reader, 'skipped 1', server);
});

forEachDatabase(
  'tries again if an email cannot be composed, and waits for the URL of the site',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    await using server = await startMailServer();
    const mailId = await scene.makeDue(reader);
    const delivery = { mailer: mailerTo(server.url()), siteUrl: () => '', log: createLog('silent') };
    const attempt = sendNotificationMail(scene.sending, { mailId, job: { id: 'job', attempt: 0 } }, delivery);
    await assert.rejects(attempt, /URL of the site is not known/);
    assert.deepEqual(await scene.states(reader), ['queued 0']);
    const query = () => {
      throw new Error('the database is down');
    };
    const { database } = scene;
    const failing = { ...database, query, transaction: database.transaction.bind(database) } as typeof database;
    await scene.send(mailId, mailerTo(server.url()), { database: failing });
    assert.deepEqual(await scene.states(reader), ['queued 1']);
    assert.equal(await scene.sendNext(reader, mailerTo(server.url())), 1);
    assert.deepEqual([await scene.states(reader), server.mails.length], [['sent 2'], 1]);
  },
);

forEachDatabase('a retry that cannot be queued leaves the email to the next worker', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  const mailId = await scene.makeDue(reader);
  const { queue } = scene.sending;
  const enqueue = () => Promise.reject(new Error('the database is down'));
  const mailer = await closedMailer();
  await assert.rejects(scene.send(mailId, mailer, { queue: { ...queue, enqueue } }), /is down/);
  assert.deepEqual(await scene.states(reader), ['sending 1']);
  const jobs = await scene.jobs();
  const other = await scene.account();
  const otherId = await scene.makeDue(other);
  await scene.send(otherId, mailer, { queue: { ...queue, complete: async () => false } });
  assert.deepEqual(await scene.states(other), ['queued 1'], 'the queue has given the job to another worker');
  assert.equal((await scene.jobs()).length, jobs.length + 1, 'which needs no other job');
  await using server = await startMailServer();
  await scene.send(otherId, mailerTo(server.url()));
  assert.deepEqual(await scene.states(other), ['sent 2']);
});
