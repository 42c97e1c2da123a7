import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { createAccount } from '../../src/identity/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { runSession } from '../../src/screener/index.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { CRASH_POINTS, createLargeProvider, RUN_SESSION } from '../support/screener/crash-during-run.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { openRunScene } from '../support/screener/run-scene.ts';

for (const crashPoint of CRASH_POINTS) {
  forEachDatabase(
    `completes a run once if its worker is killed ${crashPoint}`,
    { migrations: MIGRATIONS, only: 'postgres' },
    async (fixture) => {
      const { database, location } = fixture;
      const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
        email: 'a@example.com',
        verified: true,
      });
      const filter = await makeFilter(database, id);
      const script = join(import.meta.dirname, '../support/screener/crash-during-run.ts');
      const { url = '', directUrl = url } = location;
      const child = spawn(process.execPath, [script, directUrl, crashPoint], { stdio: 'inherit' });
      const [code, signal] = await once(child, 'exit');
      assert.deepEqual([code, signal], [null, 'SIGKILL']);

      const provider = createLargeProvider();
      const scene = openRunScene(fixture, [provider]);
      const stored = (await scene.readSymbols(RUN_SESSION)).length;
      assert.equal(stored, crashPoint === 'between closes' ? 1_000 : 1_100);
      assert.equal(await runSession(scene.context, RUN_SESSION, { isPast: false }), 'taken');
      await sql`UPDATE screener_run SET claimed_until = clock_timestamp() - interval '1 second'`.execute(
        database.query(),
      );
      assert.equal(await runSession(scene.context, RUN_SESSION, { isPast: false }), 'completed');
      // Stored closes are not requested again, and the run completes once.
      assert.equal(provider.queries.flat().length, 1_100 - stored);
      assert.deepEqual(scene.completed, [RUN_SESSION]);
      assert.equal((await scene.readMatches(filter.id, RUN_SESSION)).length, 1_100);
    },
  );
}
