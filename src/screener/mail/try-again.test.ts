import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MINUTE, type MovableClock, movableClock, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type MailServer, startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { recorded, SESSION, sendOnce, waitingMail } from '../../../test/support/screener/screener-mails.ts';
import { MIGRATIONS, QUEUES } from '../../compose/index.ts';
import { MAIL_QUEUE, startMailWorker } from '../../identity/index.ts';
import { createLog, type Database, type EnqueueOptions, openQueue } from '../../platform/index.ts';
import { SCREENER_MAILS } from './mail-jobs.ts';
import { sendScreenerMail } from './send-screener-mail.ts';
import { MAX_ATTEMPTS } from './try-again.ts';

const PLAIN = { migrations: MIGRATIONS };
const START = `${SESSION}T21:00:00.000Z`;
const refusal = (responseCode: number, said = 'not now') => Object.assign(new Error(said), { responseCode });

/** A queue whose jobs start when the clock says so. */
function timedQueue(clock: MovableClock, isCurrent = true) {
  const starts: number[] = [];
  let next: Date | undefined = clock.now();
  return {
    /** Minutes from each attempt to the next. */
    starts,
    enqueue: async (_tx: unknown, _name: string, _data: object, { startAfter }: EnqueueOptions = {}) => {
      assert.ok(startAfter);
      starts.push((startAfter.getTime() - clock.now().getTime()) / MINUTE);
      next = startAfter;
      return 'job';
    },
    complete: async () => isCurrent,
    /** Moves the clock to the next job. @returns whether there is one */
    goOn(): boolean {
      if (next === undefined) return false;
      clock.advance(next.getTime() - clock.now().getTime());
      next = undefined;
      return true;
    },
  };
}

async function urlOfNobody(): Promise<string> {
  const away = await startMailServer();
  await away[Symbol.asyncDispose]();
  return away.url();
}

forEachDatabase(
  'a mail server that is away is tried eight times over the day, then no more',
  PLAIN,
  async (fixture) => {
    const { database } = fixture;
    const { mailId } = await waitingMail(database);
    const clock = movableClock(START);
    const queue = timedQueue(clock);
    const mailer = mailerTo(await urlOfNobody());
    for (let attempt = 1; queue.goOn(); attempt++) {
      await sendOnce(database, mailId, mailer, clock, queue);
      const expected = attempt < MAX_ATTEMPTS ? ['queued', 'server_away'] : ['failed', 'attempts_used_up'];
      assert.deepEqual(await recorded(database, mailId), [...expected, attempt]);
    }
    assert.deepEqual(queue.starts, [1, 5, 15, 60, 120, 240, 480]);
    assert.ok(clock.now().getTime() - Date.parse(START) < 24 * 60 * MINUTE, 'within the life of a mail');
    await using back = await startMailServer();
    await sendOnce(database, mailId, mailerTo(back.url()), clock, queue);
    assert.equal(back.mails.length, 0);
  },
);

/** A server that puts everybody off for so many minutes. */
function greylisting(clock: MovableClock, minutes: number): Promise<MailServer> {
  const until = Date.parse(START) + minutes * MINUTE;
  return startMailServer({
    onRcptTo: (_to, _session, done) =>
      clock.now().getTime() < until ? done(refusal(451, '4.7.1 greylisted')) : done(),
  });
}

for (const [minutes, attempts] of [
  [5, 3],
  [20, 4],
  [12 * 60, 8],
] as const) {
  forEachDatabase(`a server that is back after ${minutes} minutes gets the mail, once`, PLAIN, async ({ database }) => {
    const { mailId } = await waitingMail(database);
    const clock = movableClock(START);
    const queue = timedQueue(clock);
    await using server = await greylisting(clock, minutes);
    while (queue.goOn()) await sendOnce(database, mailId, mailerTo(server.url()), clock, queue);
    assert.deepEqual(await recorded(database, mailId), ['sent', null, attempts]);
    assert.equal(server.mails.length, 1);
  });
}

forEachDatabase('a job that was taken away has no second one beside it', PLAIN, async ({ database }) => {
  const { mailId } = await waitingMail(database);
  const clock = movableClock(START);
  const queue = timedQueue(clock, false);
  await sendOnce(database, mailId, mailerTo(await urlOfNobody()), clock, queue);
  assert.deepEqual([await recorded(database, mailId), queue.starts], [['queued', 'server_away', 1], []]);
  await using server = await startMailServer();
  await sendOnce(database, mailId, mailerTo(server.url()), clock, queue);
  assert.deepEqual(await recorded(database, mailId), ['sent', null, 2]);
});

forEachDatabase('a mail is put back together with its next job, or not at all', PLAIN, async ({ database }) => {
  const { mailId } = await waitingMail(database);
  const clock = movableClock(START);
  const enqueue = async () => Promise.reject(new Error('the database is gone'));
  const broken = { ...timedQueue(clock), enqueue };
  await assert.rejects(sendOnce(database, mailId, mailerTo(await urlOfNobody()), clock, broken), /is gone/);
  assert.deepEqual(await recorded(database, mailId), ['sending', null, 1]);
});

forEachDatabase(
  'in the queue there is one job for a mail, and the attempt that was made is over',
  PLAIN,
  async (fixture) => {
    const { database, cleanup } = fixture;
    const { mailId, email } = await waitingMail(database);
    const refusals = [refusal(451), refusal(421)];
    await using server = await startMailServer({ answer: () => refusals.shift() });
    const queue = await openQueue(database, { queues: QUEUES, supervise: false });
    cleanup(() => queue.stop({ timeoutMs: 1_000 }));
    // By this clock the next attempts were due long ago.
    const context = { database, clock: movableClock(START), queue };
    const delivery = {
      mailer: mailerTo(server.url()),
      siteUrl: () => 'http://127.0.0.1:8080',
      log: createLog('silent'),
    };
    const waiting: number[] = [];
    await startMailWorker(movableIdentity(database), queue, delivery, {
      [SCREENER_MAILS]: async (id, job) => {
        await sendScreenerMail(context, { mailId: id, job }, delivery);
        waiting.push(await unfinished(database));
      },
    });
    await database.transaction((tx) => queue.enqueue(tx, MAIL_QUEUE.name, { [SCREENER_MAILS]: mailId }));
    await server.mailsTo(email, 3);
    await queue.stop();
    assert.deepEqual(await recorded(database, mailId), ['sent', null, 3]);
    // The next one after each refusal; the one at work after the last.
    assert.deepEqual(waiting, [1, 1, 1]);
    assert.equal(await unfinished(database), 0);
  },
);

async function unfinished(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM queue.job WHERE name = ${MAIL_QUEUE.name} AND state < 'completed'
  `.execute(database.query());
  return rows[0]?.count ?? 0;
}
