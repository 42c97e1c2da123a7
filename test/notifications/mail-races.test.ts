import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startMailWorker } from '../../src/identity/index.ts';
import {
  changeChoice,
  dispatchEvents,
  NOTIFICATION_MAIL_KEY,
  sendNotificationMail,
} from '../../src/notifications/index.ts';
import { claimMail } from '../../src/notifications/mails/claim-mail.ts';
import { endMail, MAX_ATTEMPTS, retryLater } from '../../src/notifications/mails/end-mail.ts';
import { planMails } from '../../src/notifications/mails/plan-mails.ts';
import { createLog, openDatabase, recordOutboxEvents } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { waitFor } from '../support/forecasts/forecast-service.ts';
import { MINUTE } from '../support/identity/identity.ts';
import { MAIL_DATABASE, type MailScene, openMailScene, type Reader } from '../support/notifications/mail-scene.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { type MailServer, startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';

/** Returns the ids of the emails to an account, oldest first. */
const idsOf = async (scene: MailScene, reader: Reader) => (await scene.mails(reader)).map(({ id }) => id);

forEachDatabase(
  'an email of a worker that ended after sending it is not sent again',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    await using server = await startMailServer();
    const mailer = mailerTo(server.url());
    const mailId = await scene.makeDue(reader);
    // The steps of a worker until it is killed: it claims the email, and the server accepts it.
    const claimed = await claimMail(scene.sending, mailId);
    assert.ok(claimed);
    await mailer.send({ to: claimed.to, subject: 'ready', text: 'ready' });
    const late = await scene.complete(reader);
    assert.deepEqual(await scene.states(reader), ['sending 1'], 'no other email while this one is being sent');
    await scene.send(mailId, mailer);
    assert.deepEqual(await scene.states(reader), ['unknown 1', 'queued 0']);
    assert.equal(server.mails.length, 1);
    // The worker was only slow.
    await endMail(scene.sending, { ...claimed, attempt: 2 }, 'failed');
    assert.equal((await scene.states(reader))[0], 'unknown 1', 'the end of another attempt is not stored');
    await retryLater(scene.sending, claimed, { id: '00000000-0000-0000-0000-000000000000', attempt: 0 });
    assert.equal((await scene.states(reader))[0], 'unknown 1', 'an email that may have arrived is not repeated');
    await endMail(scene.sending, claimed, 'sent');
    await endMail(scene.sending, claimed, 'failed');
    assert.deepEqual(await scene.states(reader), ['sent 1', 'queued 0']);
    assert.equal(await scene.sendNext(reader, mailer), 10);
    assert.deepEqual(server.mails[1]?.text.match(/ef_\w+/g), [late]);
  },
);

forEachDatabase(
  'an attempt that ends while another worker takes its job leaves the email to that one',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const mailId = await scene.makeDue(reader);
    await using server = await startMailServer();
    const { database } = scene;
    assert.ok(await claimMail(scene.sending, mailId));
    const returnToQueue = () =>
      sql`UPDATE notification_mail SET state = 'queued' WHERE id = ${mailId}`.execute(database.query());
    const transaction: typeof database.transaction = async (work) => {
      const result = await database.transaction(work);
      await returnToQueue();
      return result;
    };
    const racing = { ...database, transaction, query: database.query.bind(database) } as typeof database;
    await assert.rejects(scene.send(mailId, mailerTo(server.url()), { database: racing }), /will be sent later/);
    await scene.send(mailId, mailerTo(server.url()));
    assert.deepEqual([await scene.states(reader), server.mails.length], [['sent 2'], 1]);
  },
);

forEachDatabase(
  'a worker that is killed after sending sends one email',
  { ...MAIL_DATABASE, only: 'postgres' },
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const mailId = await scene.makeDue(reader);
    await using server = await startMailServer();
    const script = join(import.meta.dirname, '../support/notifications/crash-after-mail.ts');
    const { url = '', directUrl = url } = fixture.location;
    const child = spawn(process.execPath, [script, directUrl, server.url(), mailId], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
    assert.deepEqual([await scene.states(reader), server.mails.length], [['sending 1'], 1]);
    await scene.send(mailId, mailerTo(server.url()));
    assert.deepEqual([await scene.states(reader), server.mails.length], [['unknown 1'], 1]);
  },
);

forEachDatabase('concurrent dispatchers and senders send every event once', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const readers = [await scene.account(), await scene.account(), await scene.account()];
  await using server = await startMailServer();
  const mailer = mailerTo(server.url());
  const others = fixture.database.kind === 'pglite' ? [] : [await openDatabase(fixture.location)];
  for (const other of others) fixture.cleanup(() => other.close());
  const databases = [scene.database, ...others];
  const expected: string[] = [];
  for (let round = 0; round < 4; round++) {
    for (const reader of readers) expected.push(await scene.forecast(reader), await scene.forecast(reader));
    const events = expected.slice(-6).map((subject) => ({ subject }));
    await scene.database.transaction((tx) => recordOutboxEvents(tx, 'forecast.completed', events, scene.clock.now()));
    const due = (await Promise.all(readers.map((reader) => idsOf(scene, reader)))).flat();
    await Promise.all(
      databases.flatMap((database) => [
        dispatchEvents({ ...scene.context, database }),
        ...due.map((id) => scene.send(id, mailer, { database })),
      ]),
    );
    scene.clock.advance(20 * MINUTE);
  }
  for (const reader of readers) while ((await scene.sendNext(reader, mailer)) !== null);
  const sent = server.mails.flatMap(({ text }) => text.match(/ef_\w+/g) ?? []);
  assert.deepEqual(sent.sort(), expected.sort());
  const states = (await Promise.all(readers.map((reader) => scene.states(reader)))).flat();
  assert.deepEqual([...new Set(states)], ['sent 1']);
});

forEachDatabase(
  'an attempt that begins meanwhile waits for a dispatcher, and takes what it stores',
  { ...MAIL_DATABASE, only: 'postgres' },
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const { database, clock } = scene;
    const reader = await scene.account();
    const mailId = await scene.makeDue(reader);
    const subject = await scene.forecast(reader);
    const event = {
      id: 'oev_meanwhile',
      type: 'forecast.completed',
      subject,
      details: {},
      created_at: clock.now(),
    } as const;
    const audience = { subject, object_id: subject, account_id: reader.id, workspace_id: null };
    const other = await openDatabase(fixture.location);
    fixture.cleanup(() => other.close());
    const claiming = await database.transaction(async (tx) => {
      const audiences = new Map([[subject, audience]]);
      await planMails(tx, scene.queue, { events: [event], audiences, now: clock.now() });
      const attempt = claimMail({ ...scene.sending, database: other }, mailId);
      const readWaiting = () =>
        sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
          tx.query(),
        );
      await waitFor(readWaiting, ({ rows }) => rows.length > 0, 10_000);
      // In an object, so that the transaction does not wait for it.
      return { attempt };
    });
    assert.ok(await claiming.attempt);
    const { rows } = await sql`SELECT FROM notification_line WHERE mail_id = ${mailId}`.execute(database.query());
    assert.equal(rows.length, 2);
  },
);

forEachDatabase(
  'the worker sends an email after temporary errors, with one job at a time',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const errors = [451, 421].map((responseCode) => Object.assign(new Error('not now'), { responseCode }));
    await using server = await startMailServer({ reply: () => errors.shift() });
    const delivery = { mailer: mailerTo(server.url()), siteUrl: () => SITE_URL, log: createLog('silent') };
    const counts: number[] = [];
    const countJobs = async () => {
      const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM queue.job WHERE name = 'mail' AND state < 'completed'`.execute(
        scene.database.query(),
      );
      return rows[0]?.count ?? 0;
    };
    // The clock is in the past, so each next attempt is due immediately.
    await scene.complete(reader);
    const { context: base, queue } = scene;
    await startMailWorker(scene.identity, queue, delivery, {
      [NOTIFICATION_MAIL_KEY]: async (mailId, job) => {
        await sendNotificationMail({ ...base, queue }, { mailId, job }, delivery);
        counts.push(await countJobs());
      },
    });
    await server.mailsTo(reader.email, 3);
    await queue.stop();
    assert.deepEqual([await scene.states(reader), counts, await countJobs()], [['sent 3'], [1, 1, 1], 0]);
  },
);

/** Starts a server that runs a change while it delays the first email, before it has any text of it. */
function startServerWith(change: () => Promise<unknown>): Promise<MailServer> {
  let isFirst = true;
  return startMailServer({
    onRcptTo: (_to, _session, done) => {
      const changed = isFirst ? change() : Promise.resolve();
      isFirst = false;
      changed.then(() => done(), done);
    },
  });
}

const CHANGES: readonly [string, (scene: MailScene, reader: Reader) => Promise<unknown>, string][] = [
  ['turns emails off', ({ identity }, { id }) => changeChoice(identity, id, { forecasts: false }), 'skipped 2'],
  [
    'turns all off',
    ({ identity }, { id }) => changeChoice(identity, id, { forecasts: false, outcomes: false }),
    'skipped 1',
  ],
  ['is locked', (scene, reader) => scene.change(reader, { locked_at: new Date() }), 'skipped 1'],
  ['is no longer verified', (scene, reader) => scene.change(reader, { email_verified: false }), 'skipped 1'],
  ['changes its address', (scene, reader) => scene.change(reader, { email: `new-${reader.email}` }), 'sent 2'],
];

forEachDatabase('checks the account again when the server is ready for the text', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  for (const [description, change, state] of CHANGES) {
    for (const attempts of [0, MAX_ATTEMPTS - 1]) {
      const reader = await scene.account();
      const mailId = await scene.makeDue(reader);
      await sql`UPDATE notification_mail SET attempts = ${attempts}::int WHERE id = ${mailId}`.execute(
        scene.database.query(),
      );
      await using server = await startServerWith(() => change(scene, reader));
      await scene.send(mailId, mailerTo(server.url()));
      assert.deepEqual([await scene.states(reader), server.mails.length], [[`queued ${attempts + 1}`], 0], description);
      assert.equal(await scene.sendNext(reader, mailerTo(server.url())), 0, 'immediately');
      const [kind, count] = state.split(' ');
      assert.deepEqual(await scene.states(reader), [`${kind} ${attempts + Number(count)}`], description);
      const recipients = server.mails.map((mail) => mail.recipients);
      assert.deepEqual(recipients, kind === 'sent' ? [[`new-${reader.email}`]] : [], description);
    }
  }
});

forEachDatabase('lists what is left if one of two forecasts is deleted meanwhile', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  const [gone, left] = [await scene.complete(reader), await scene.complete(reader)];
  await using server = await startServerWith(() =>
    sql`DELETE FROM forecast WHERE id = ${gone}`.execute(scene.database.query()),
  );
  await scene.sendNext(reader, mailerTo(server.url()));
  assert.deepEqual([await scene.states(reader), server.mails.length], [['queued 1'], 0]);
  await scene.sendNext(reader, mailerTo(server.url()));
  assert.deepEqual(
    server.mails.flatMap(({ text }) => text.match(/ef_\w+/g)),
    [left],
  );
});
