import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { readAllRows } from '../../../test/support/platform/rows.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { createIdentityContext, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { createBundledProvider } from '../../market/index.ts';
import { systemClock } from '../../platform/index.ts';
import type { FilterRules } from '../evaluate/filter-rules.ts';
import { replaySession } from './replay-session.ts';
import { runSession } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };

forEachDatabase('replays a past session on the bundled bars and stores nothing', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const scene = openRunScene(fixture, [createBundledProvider()]);
  const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
    email: 'a@example.com',
    verified: true,
  });
  const filter = await makeFilter(database, id, { universe: ['AAPL'] });
  const before = await readAllRows(database);
  const replay = await replaySession(scene.context, {
    session: '2010-03-01',
    preview: {
      universe: 'all',
      combine: 'all',
      conditions: [{ field: 'close', op: 'crosses_above', other_field: 'sma_50' }],
    },
  });
  assert.deepEqual(await readAllRows(database), before);
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

forEachDatabase('finds the matches that a run of the session finds', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const scene = openRunScene(fixture, [createBundledProvider()]);
  const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
    email: 'a@example.com',
    verified: true,
  });
  const filter = await makeFilter(database, id);
  const sessions = ['2018-05-09', '2018-05-10'];
  for (const session of sessions) await runSession(scene.context, session, { isPast: true });
  const replay = await replaySession(scene.context, { session: '2018-05-10' });
  const found = replay.filters[0]?.matches.map(({ symbol, is_new }) => `${symbol}${is_new ? '!' : ''}`);
  assert.deepEqual(found, ['AAPL', '^GSPC']);
  assert.deepEqual(await scene.readMatches(filter.id, '2018-05-10'), found);
});

forEachDatabase('a match is new if the previous run did not match it, as in the API', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const scene = openRunScene(fixture, [createBundledProvider()]);
  const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
    email: 'a@example.com',
    verified: true,
  });
  const filter = await makeFilter(database, id);
  const preview: FilterRules = {
    universe: 'all',
    combine: 'all',
    conditions: [{ field: 'close', op: 'gt', value: 1_000 }],
  };
  const mark = (matches: readonly { readonly symbol: string; readonly is_new: boolean }[] = []) =>
    matches.map(({ symbol, is_new }) => `${symbol}${is_new ? '!' : ''}`);
  const replay = async (session: string) => {
    const { filters, preview: replayed } = await replaySession(scene.context, { session, preview });
    return { saved: mark(filters[0]?.matches), preview: mark(replayed?.matches) };
  };
  // Without an earlier run every match is new, although the closes of the session before also meet the conditions.
  assert.deepEqual(await replay('2018-05-10'), { saved: ['AAPL!', '^GSPC!'], preview: ['^GSPC!'] });
  // Runs of other days, later ones and ones that did not complete are not the previous run.
  await runSession(scene.context, '2018-05-04', { isPast: true });
  assert.deepEqual(await replay('2018-05-10'), { saved: ['AAPL', '^GSPC'], preview: ['^GSPC'] });
  assert.deepEqual(await replay('2018-05-03'), { saved: ['AAPL!', '^GSPC!'], preview: ['^GSPC!'] });
  await runSession(scene.context, '2018-05-10', { isPast: true });
  assert.deepEqual(await scene.readMatches(filter.id, '2018-05-10'), ['AAPL', '^GSPC']);
  // A filter that the previous run did not evaluate has only new matches.
  const later = await makeFilter(database, id);
  const { filters } = await replaySession(scene.context, { session: '2018-05-11' });
  assert.deepEqual(mark(filters.find((one) => one.id === later.id)?.matches), ['AAPL!', '^GSPC!']);
});

forEachDatabase('refuses a day without a session, without bars or without final closes', OPTIONS, async (fixture) => {
  const scene = openRunScene(fixture, [createBundledProvider()]);
  const refused: readonly [session: string, code: string, message: RegExp][] = [
    ['2010-03-06', 'INVALID_REQUEST', /^session: the exchange is closed on 2010-03-06/],
    ['1985-03-06', 'INVALID_REQUEST', /^session: the exchange is closed/],
    ['2024-03-28', 'INVALID_REQUEST', /^session: the closes of 2024-03-28 are not final yet.*2024-03-27/],
    ['2024-03-27', 'UNPROCESSABLE', /^session: no provider has bars of 2024-03-27/],
  ];
  for (const [session, code, message] of refused) {
    await assert.rejects(replaySession(scene.context, { session }), { name: 'Fault', code, message });
  }
});
