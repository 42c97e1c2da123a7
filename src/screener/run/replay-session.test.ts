import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/screener.ts';
import { runScene } from '../../../test/support/screener/screener-runs.ts';
import { everyRow } from '../../../test/support/snapshots/rows.ts';
import { identityOf, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { createBundledProvider } from '../../market/index.ts';
import { replaySession } from './replay-session.ts';
import { runSession } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };

forEachDatabase('a past session is replayed on the bundled bars, and nothing is stored', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const scene = runScene(fixture, [createBundledProvider()]);
  const { id } = await createAccount(identityOf(database), { email: 'a@example.com', verified: true });
  const filter = await makeFilter(database, id, { universe: ['AAPL'] });
  const before = await everyRow(database);
  const replay = await replaySession(scene.context, {
    session: '2010-03-01',
    preview: {
      universe: 'all',
      combine: 'all',
      conditions: [{ field: 'close', op: 'crosses_above', other_field: 'sma_50' }],
    },
  });
  assert.deepEqual(await everyRow(database), before);
  // Apple's bundled bars begin in 2013.
  assert.deepEqual(
    replay.metrics.map(({ symbol, close }) => [symbol, close]),
    [['^GSPC', 1115.709961]],
  );
  assert.deepEqual(replay.filters, [{ id: filter.id, name: filter.name, total: 0, matches: [] }]);
  assert.equal(replay.preview?.total, 1);
  assert.deepEqual(
    replay.preview?.matches.map(({ symbol, is_new }) => [symbol, is_new]),
    [['^GSPC', true]],
  );
});

forEachDatabase('a replay finds what a run of that session finds', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const scene = runScene(fixture, [createBundledProvider()]);
  const { id } = await createAccount(identityOf(database), { email: 'a@example.com', verified: true });
  const filter = await makeFilter(database, id);
  const sessions = ['2018-05-09', '2018-05-10'];
  for (const session of sessions) await runSession(scene.context, session, { isLast: true });
  const replay = await replaySession(scene.context, { session: '2018-05-10' });
  const found = replay.filters[0]?.matches.map(({ symbol, is_new }) => `${symbol}${is_new ? '!' : ''}`);
  assert.deepEqual(found, ['AAPL', '^GSPC']);
  assert.deepEqual(await scene.matches(filter.id, '2018-05-10'), found);
});

forEachDatabase(
  'a day without a session, without bars, or without a final close is refused',
  OPTIONS,
  async (fixture) => {
    const scene = runScene(fixture, [createBundledProvider()]);
    const refused: readonly [session: string, code: string, message: RegExp][] = [
      ['2010-03-06', 'INVALID_REQUEST', /^session: the exchange was not open on 2010-03-06/],
      ['1985-03-06', 'INVALID_REQUEST', /^session: the exchange was not open/],
      ['2024-03-28', 'INVALID_REQUEST', /^session: the final closes of 2024-03-28 are not known yet.*2024-03-27/],
      ['2024-03-27', 'UNPROCESSABLE', /^session: nobody here has bars of 2024-03-27/],
    ];
    for (const [session, code, message] of refused) {
      await assert.rejects(replaySession(scene.context, { session }), { name: 'Fault', code, message });
    }
  },
);
