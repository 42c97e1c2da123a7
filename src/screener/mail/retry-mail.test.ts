import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MINUTE, type MovableClock, movableClock, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type MailServer, startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { makeQueuedMail, readMailRow, SESSION, sendMail } from '../../../test/support/screener/mails.ts';
import { MIGRATIONS, QUEUES } from '../../compose/index.ts';
import { MAIL_QUEUE, startMailWorker } from '../../identity/index.ts';
import { createLog, type Database, type EnqueueOptions, openQueue } from '../../platform/index.ts';
import { SCREENER_MAIL_KEY } from './plan-mails.ts';
import { MAX_ATTEMPTS } from './retry-mail.ts';
import { sendScreenerMail } from './send-screener-mail.ts';

const OPTIONS = { migrations: MIGRATIONS };
const START = `${SESSION}T21:00:00.000Z`;
const smtpError = (responseCode: number, message = 'not now') => Object.assign(new Error(message), { responseCode });

/** Creates a queue whose jobs start when the test moves the clock. */
function createTimedQueue(clock: MovableClock, isCurrent = true) {
  const starts: number[] = [];
  let next: Date | undefined = clock.now();
  return {
    /** Minutes between attempts. */
    starts,
    enqueue: async (_tx: unknown, _name: string, _data: object, { startAfter }: EnqueueOptions = {}) => {
      assert.ok(startAfter);
      starts.push((startAfter.getTime() - clock.now().getTime()) / MINUTE);
      next = startAfter;
      return 'job';
    },
    complete: async () => isCurrent,
    /** Moves the clock to the next job. @returns whether there is one */
    moveToNext(): boolean {
      if (next === undefined) return false;
      clock.advance(next.getTime() - clock.now().getTime());
      next = undefined;
      return true;
    },
  };
}

async function closedServerUrl(): Promise<string> {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  return server.url();
}

forEachDatabase(
  'tries a mail server that is down eight times over the day and then stops',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const { mailId } = await makeQueuedMail(database);
    const clock = movableClock(START);
    const queue = createTimedQueue(clock);
    const mailer = mailerTo(await closedServerUrl());
    for (let attempt = 1; queue.moveToNext(); attempt++) {
      await sendMail(database, mailId, mailer, clock, queue);
      const expected = attempt < MAX_ATTEMPTS ? ['queued', 'server_away'] : ['failed', 'attempts_used_up'];
      assert.deepEqual(await readMailRow(database, mailId), [...expected, attempt]);
    }
    assert.deepEqual(queue.starts, [1, 5, 15, 60, 120, 240, 480]);
    assert.ok(clock.now().getTime() - Date.parse(START) < 24 * 60 * MINUTE, 'within the lifetime of an email');
    await using server = await startMailServer();
    await sendMail(database, mailId, mailerTo(server.url()), clock, queue);
    assert.equal(server.mails.length, 0);
  },
);

/** Starts a server that defers all emails for some minutes. */
function startGreylistingServer(clock: MovableClock, minutes: number): Promise<MailServer> {
  const until = Date.parse(START) + minutes * MINUTE;
  return startMailServer({
    onRcptTo: (_to, _session, done) =>
      clock.now().getTime() < until ? done(smtpError(451, '4.7.1 greylisted')) : done(),
  });
}

for (const [minutes, attempts] of [
  [5, 3],
  [20, 4],
  [12 * 60, 8],
] as const) {
  forEachDatabase(
    `sends an email once to a server that accepts it after ${minutes} minutes`,
    OPTIONS,
    async ({ database }) => {
      const { mailId } = await makeQueuedMail(database);
      const clock = movableClock(START);
      const queue = createTimedQueue(clock);
      await using server = await startGreylistingServer(clock, minutes);
      while (queue.moveToNext()) await sendMail(database, mailId, mailerTo(server.url()), clock, queue);
      assert.deepEqual(await readMailRow(database, mailId), ['sent', null, attempts]);
      assert.equal(server.mails.length, 1);
    },
  );
}

forEachDatabase('queues no second job when the queue has taken the job away', OPTIONS, async ({ database }) => {
  const { mailId } = await makeQueuedMail(database);
  const clock = movableClock(START);
  const queue = createTimedQueue(clock, false);
  await sendMail(database, mailId, mailerTo(await closedServerUrl()), clock, queue);
  assert.deepEqual([await readMailRow(database, mailId), queue.starts], [['queued', 'server_away', 1], []]);
  await using server = await startMailServer();
  await sendMail(database, mailId, mailerTo(server.url()), clock, queue);
  assert.deepEqual(await readMailRow(database, mailId), ['sent', null, 2]);
});

forEachDatabase('does not mark an email as queued if its next job cannot be added', OPTIONS, async ({ database }) => {
  const { mailId } = await makeQueuedMail(database);
  const clock = movableClock(START);
  const enqueue = async () => Promise.reject(new Error('the database is down'));
  const failingQueue = { ...createTimedQueue(clock), enqueue };
  await assert.rejects(sendMail(database, mailId, mailerTo(await closedServerUrl()), clock, failingQueue), /is down/);
  assert.deepEqual(await readMailRow(database, mailId), ['sending', null, 1]);
});

forEachDatabase('keeps one unfinished job per email in the queue', OPTIONS, async (fixture) => {
  const { database, cleanup } = fixture;
  const { mailId, email } = await makeQueuedMail(database);
  const errors = [smtpError(451), smtpError(421)];
  await using server = await startMailServer({ reply: () => errors.shift() });
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  // With this clock the next attempts are due immediately.
  const context = { database, clock: movableClock(START), queue };
  const delivery = {
    mailer: mailerTo(server.url()),
    siteUrl: () => 'http://127.0.0.1:8080',
    log: createLog('silent'),
  };
  const jobCounts: number[] = [];
  await startMailWorker(movableIdentity(database), queue, delivery, {
    [SCREENER_MAIL_KEY]: async (id, job) => {
      await sendScreenerMail(context, { mailId: id, job }, delivery);
      jobCounts.push(await countUnfinishedJobs(database));
    },
  });
  await database.transaction((tx) => queue.enqueue(tx, MAIL_QUEUE.name, { [SCREENER_MAIL_KEY]: mailId }));
  await server.mailsTo(email, 3);
  await queue.stop();
  assert.deepEqual(await readMailRow(database, mailId), ['sent', null, 3]);
  // The next job after each temporary error, the current one after the last attempt.
  assert.deepEqual(jobCounts, [1, 1, 1]);
  assert.equal(await countUnfinishedJobs(database), 0);
});

async function countUnfinishedJobs(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM queue.job WHERE name = ${MAIL_QUEUE.name} AND state < 'completed'
  `.execute(database.query());
  return rows[0]?.count ?? 0;
}
