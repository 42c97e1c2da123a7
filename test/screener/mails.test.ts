import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS, QUEUES, screenerRunsOf } from '../../src/compose/index.ts';
import { createLog, loadConfig, openQueue } from '../../src/platform/index.ts';
import { runSession } from '../../src/screener/run/run-session.ts';
import { eventually } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import { openPeopleSite } from '../support/identity/people-site.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';
import { makeFilter } from '../support/screener/screener.ts';
import { recorded, sendOnce, waitingMail } from '../support/screener/screener-mails.ts';

interface Mails {
  readonly delivery: { readonly state: string };
  readonly mails: readonly { readonly session: string; readonly state: string; readonly reason: string | null }[];
  readonly next_cursor: string | null;
}

test('from the close of a session to the mailbox, and what became of each mail can be read', async () => {
  await using site = await openPeopleSite();
  const { database } = site.identity;
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  try {
    const [anna, ben] = [await site.account(), await site.account()];
    for (const { id } of [anna, ben]) {
      const all = [{ field: 'close', op: 'gt', value: 1 }] as const;
      await makeFilter(database, id, { name: 'Apple & the market', universe: ['AAPL', '^GSPC'], all });
    }
    await makeFilter(database, anna.id, { name: 'Never', all: [{ field: 'close', op: 'lt', value: 0 }] });
    const config = loadConfig({ ALMANAC_SCREENER_MAILS_PER_DAY: '1' });
    const runs = screenerRunsOf({ config, database, log: createLog('silent') }, { queue });
    // One of them a session, in turn.
    for (const session of ['2018-03-01', '2018-03-02']) {
      assert.equal(await runSession(runs, session, { isLast: false }), 'completed', session);
      assert.equal(await runSession(runs, session, { isLast: false }), 'taken', session);
    }
    const [[annas], [bens]] = await Promise.all([site.mail.mailsTo(anna.email), site.mail.mailsTo(ben.email)]);
    for (const mail of [annas, bens]) {
      assert.ok(mail);
      assert.match(mail.text, /Apple & the market: 2 matches/);
      assert.doesNotMatch(mail.text, /Never/);
      assert.equal(mail.parts.filter(({ type }) => type === 'image/png').length, 2);
    }
    assert.equal(site.mail.mails.length, 2);

    for (const { id } of [anna, ben]) {
      const headers = await withKey(site.identity, id);
      const read = async (query = '') => {
        const response = await fetch(`${site.url}/api/v1/me/screener-mails${query}`, { headers });
        return ((await response.json()) as { data: Mails }).data;
      };
      const isSettled = ({ mails }: Mails) => mails.some(({ state }) => state === 'sent');
      const { delivery, mails } = await eventually(() => read(), isSettled);
      assert.equal(delivery.state, 'on');
      assert.deepEqual(
        mails.map(({ session }) => session),
        ['2018-03-02', '2018-03-01'],
      );
      const kinds = mails.map(({ state, reason }) => `${state} ${reason}`).sort();
      assert.deepEqual(kinds, ['over_budget budget_used_up', 'sent null']);
      const first = await read('?limit=1');
      const second = await read(`?limit=1&cursor=${first.next_cursor}`);
      assert.deepEqual([...first.mails, ...second.mails], mails);
      assert.equal(second.next_cursor, null);
    }
  } finally {
    await queue.stop();
  }
});

forEachDatabase(
  'a process that is killed after the mail server took the mail leaves one mail, and says that it does not know',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database, location }) => {
    await using server = await startMailServer();
    const { mailId } = await waitingMail(database);
    const script = join(import.meta.dirname, '../support/screener/send-and-die.ts');
    const child = spawn(process.execPath, [script, location.url ?? '', server.url(), mailId], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    assert.equal(server.mails.length, 1);
    assert.deepEqual(await recorded(database, mailId), ['sending', null, 1]);
    await sendOnce(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await recorded(database, mailId), ['unknown', 'interrupted', 1]);
    assert.equal(server.mails.length, 1);
  },
);
