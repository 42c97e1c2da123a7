import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createFoundation, createScreenerRunContext, MIGRATIONS, QUEUES } from '../../src/compose/index.ts';
import { createLog, openQueue } from '../../src/platform/index.ts';
import { runSession } from '../../src/screener/run/run-session.ts';
import { waitFor } from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import { openFullSite } from '../support/identity/full-site.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { makeQueuedMail, readMailRow, sendMail } from '../support/screener/mails.ts';

interface Mails {
  readonly delivery: { readonly state: string };
  readonly mails: readonly { readonly session: string; readonly state: string; readonly reason: string | null }[];
  readonly next_cursor: string | null;
}

test('sends emails about a session within the budget and lists their states', async () => {
  await using site = await openFullSite();
  const { database } = site.identity;
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  try {
    // The worker of the site evaluates the latest bundled session when it starts, which must not find the filters.
    const countRuns = async () => {
      const { rows } = await sql<{ runs: number }>`
        SELECT count(*)::int AS runs FROM screener_run WHERE state = 'completed'`.execute(database.query());
      return rows[0]?.runs ?? 0;
    };
    await waitFor(countRuns, (runs) => runs > 0);
    const [first, second] = [await site.account(), await site.account()];
    for (const { id } of [first, second]) {
      const all = [{ field: 'close', op: 'gt', value: 1 }] as const;
      await makeFilter(database, id, { name: 'Apple & the market', universe: ['AAPL', '^GSPC'], all });
    }
    await makeFilter(database, first.id, { name: 'Never', all: [{ field: 'close', op: 'lt', value: 0 }] });
    const config = loadTestConfig({ ALMANAC_SCREENER_MAILS_PER_DAY: '1' });
    const runs = createScreenerRunContext(createFoundation({ config, database, log: createLog('silent') }), { queue });
    // The budget allows one email per session, so that the accounts take turns.
    for (const session of ['2018-03-01', '2018-03-02']) {
      assert.equal(await runSession(runs, session, { isPast: false }), 'completed', session);
      assert.equal(await runSession(runs, session, { isPast: false }), 'taken', session);
    }
    const [[firstMail], [secondMail]] = await Promise.all([
      site.mail.mailsTo(first.email),
      site.mail.mailsTo(second.email),
    ]);
    for (const mail of [firstMail, secondMail]) {
      assert.ok(mail);
      assert.match(mail.text, /Apple & the market: 2 matches/);
      assert.doesNotMatch(mail.text, /Never/);
      assert.equal(mail.parts.filter(({ type }) => type === 'image/png').length, 2);
    }
    assert.equal(site.mail.mails.length, 2);

    for (const { id } of [first, second]) {
      const headers = await withKey(site.identity, id);
      const read = async (query = '') => {
        const response = await fetch(`${site.url}/api/v1/me/screener-mails${query}`, { headers });
        return ((await response.json()) as { data: Mails }).data;
      };
      const hasSentMail = ({ mails }: Mails) => mails.some(({ state }) => state === 'sent');
      const { delivery, mails } = await waitFor(() => read(), hasSentMail);
      assert.equal(delivery.state, 'on');
      assert.deepEqual(
        mails.map(({ session }) => session),
        ['2018-03-02', '2018-03-01'],
      );
      const states = mails.map(({ state, reason }) => `${state} ${reason}`).sort();
      assert.deepEqual(states, ['over_budget budget_used_up', 'sent null']);
      const firstPage = await read('?limit=1');
      const secondPage = await read(`?limit=1&cursor=${firstPage.next_cursor}`);
      assert.deepEqual([...firstPage.mails, ...secondPage.mails], mails);
      assert.equal(secondPage.next_cursor, null);
    }
  } finally {
    await queue.stop();
  }
});

forEachDatabase(
  'sends one email and records its state as unknown when the process is killed after sending',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database, location }) => {
    await using server = await startMailServer();
    const { mailId } = await makeQueuedMail(database);
    const script = join(import.meta.dirname, '../support/screener/crash-after-send.ts');
    const { url = '', directUrl = url } = location;
    const child = spawn(process.execPath, [script, directUrl, server.url(), mailId], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    assert.equal(server.mails.length, 1);
    assert.deepEqual(await readMailRow(database, mailId), ['sending', null, 1]);
    await sendMail(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await readMailRow(database, mailId), ['unknown', 'interrupted', 1]);
    assert.equal(server.mails.length, 1);
  },
);
