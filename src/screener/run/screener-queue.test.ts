import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { runScene } from '../../../test/support/screener/screener-runs.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { openQueue } from '../../platform/index.ts';
import { removeOldMetrics } from './remove-old-metrics.ts';
import { runDue } from './run-due.ts';
import { SCREENER_QUEUE, startScreenerRuns } from './screener-queue.ts';

const [BEFORE, SESSION] = ['2024-03-26', '2024-03-27'] as const;
const provider = () => bulkProvider({ A: barsEndingAt(SESSION, [5, 20]) });

forEachDatabase('a job of the queue runs what is due', { migrations: MIGRATIONS, queue: true }, async (fixture) => {
  const { database } = fixture;
  const queue = await openQueue(database, { queues: [SCREENER_QUEUE], supervise: false });
  fixture.cleanup(() => queue.stop());
  const scene = runScene(fixture, [provider()]);
  await startScreenerRuns(scene.context, queue);
  await queue.enqueue(database, SCREENER_QUEUE.name, {});
  for (let tries = 0; scene.followed.length === 0 && tries < 200; tries++) await delay(50);
  assert.deepEqual(scene.followed, [SESSION]);
});

forEachDatabase('numbers and results are kept for a while after a run', { migrations: MIGRATIONS }, async (fixture) => {
  const { database } = fixture;
  const scene = runScene(fixture, [provider()]);
  scene.at('2024-03-26T21:00:00Z');
  await runDue(scene.context);
  scene.at('2024-03-27T21:00:00Z');
  await runDue(scene.context);
  scene.at('2024-06-30T00:00:00Z');
  await removeOldMetrics({ database, clock: scene.context.clock });
  assert.deepEqual(await scene.metrics(BEFORE), ['A']);
  scene.at('2024-07-10T00:00:00Z');
  await removeOldMetrics({ database, clock: scene.context.clock });
  assert.deepEqual(await scene.metrics(BEFORE), []);
  assert.equal((await scene.run(BEFORE))?.state, 'completed');
  // Previews look at the latest, however old it is.
  assert.deepEqual(await scene.metrics(SESSION), ['A']);
});
