import assert from 'node:assert/strict';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { ScreenerTables } from '../tables.ts';
import { runDueSessions } from './run-due.ts';
import { runFirstSession } from './run-first.ts';
import { latestSession } from './stored-sessions.ts';

const OPTIONS = { migrations: MIGRATIONS };
/** The latest session of which all three symbols have bars. */
const LAST = '2020-04-09';
const [DUE, NEXT] = ['2024-03-27', '2024-03-28'];
const EVENING = `${DUE}T20:30:00Z`;

/** Creates a provider whose bars end long ago, those of two symbols a week after those of the third. */
function createOldProvider() {
  const closes = [...Array(25).fill(5), 20];
  return bulkProvider({
    A: barsEndingAt('2020-04-17', closes),
    B: barsEndingAt('2020-04-17', closes),
    EARLIER: barsEndingAt(LAST, closes),
  });
}

forEachDatabase('evaluates the session with the most bars if they all end long ago, once', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const provider = createOldProvider();
  const scene = openRunScene(fixture, [provider]);
  scene.setTime(EVENING);
  await Promise.all([runDueSessions(scene.context), runDueSessions(scene.context)]);
  assert.deepEqual(scene.completed, [`${LAST} past`]);
  assert.equal(await latestSession(database), LAST);
  assert.deepEqual(await scene.readSymbols(LAST), ['A', 'B', 'EARLIER']);
  assert.equal((await scene.readRun(DUE))?.state, 'waiting');
  scene.setTime(`${NEXT}T20:30:00Z`);
  for (const _ of [1, 2]) await runDueSessions(scene.context);
  // No session before the first job counts as missed.
  const runs = await database
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select(['session', 'state'])
    .orderBy('session')
    .execute();
  assert.deepEqual(
    runs.map(({ session, state }) => `${session} ${state}`),
    [`${LAST} completed`, `${DUE} missed`, `${NEXT} waiting`],
  );
  assert.deepEqual(scene.completed, [`${LAST} past`]);
  // The daily run goes on as soon as there are closes.
  provider.bars.set('A', barsEndingAt(NEXT, [...Array(25).fill(5), 20]));
  await runDueSessions(scene.context);
  assert.deepEqual(scene.completed, [`${LAST} past`, NEXT]);
});

forEachDatabase('evaluates no old session if a provider needs a network', OPTIONS, async (fixture) => {
  const live = { ...bulkProvider({ A: [] }, 'massive'), requestsPerMinute: 5 };
  const scene = openRunScene(fixture, [live, createOldProvider()]);
  scene.setTime(EVENING);
  await runFirstSession(scene.context);
  assert.deepEqual([scene.completed, live.queries], [[], []]);
});

forEachDatabase('tries again after a failure', OPTIONS, async (fixture) => {
  let failures = 2;
  const scene = openRunScene(fixture, [createOldProvider()], async () => {
    if (failures-- > 0) throw new Error('The disk is full.');
  });
  scene.setTime(EVENING);
  await runDueSessions(scene.context);
  assert.equal((await scene.readRun(LAST))?.state, 'waiting');
  await runDueSessions(scene.context);
  assert.deepEqual(scene.completed, [`${LAST} past`]);
});
