import assert from 'node:assert/strict';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { runDueSessions } from './run-due.ts';
import { removeOldMetrics } from './stored-sessions.ts';

const [EARLIER, LATEST] = ['2024-03-26', '2024-03-27'] as const;
const createProvider = () => bulkProvider({ A: barsEndingAt(LATEST, [5, 20]) });

forEachDatabase(
  'keeps metrics and results for 100 days, and those of the latest run',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const scene = openRunScene(fixture, [createProvider()]);
    scene.setTime('2024-03-26T21:00:00Z');
    await runDueSessions(scene.context);
    scene.setTime('2024-03-27T21:00:00Z');
    await runDueSessions(scene.context);
    scene.setTime('2024-06-30T00:00:00Z');
    await removeOldMetrics({ database, clock: scene.context.clock });
    assert.deepEqual(await scene.readSymbols(EARLIER), ['A']);
    scene.setTime('2024-07-10T00:00:00Z');
    await removeOldMetrics({ database, clock: scene.context.clock });
    assert.deepEqual(await scene.readSymbols(EARLIER), []);
    assert.equal((await scene.readRun(EARLIER))?.state, 'completed');
    // Previews use the latest session, however old it is.
    assert.deepEqual(await scene.readSymbols(LATEST), ['A']);
  },
);
