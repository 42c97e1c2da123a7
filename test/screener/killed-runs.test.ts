import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { identityOf, MIGRATIONS } from '../../src/compose/index.ts';
import { createAccount } from '../../src/identity/index.ts';
import { runSession } from '../../src/screener/index.ts';
import { DEATHS, manyBars, RUN_SESSION } from '../support/forecasts/run-and-die.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { makeFilter } from '../support/screener/screener.ts';
import { runScene } from '../support/screener/screener-runs.ts';

for (const death of DEATHS) {
  forEachDatabase(
    `a worker process that is killed ${death} leaves a run that the next one ends, once`,
    { migrations: MIGRATIONS, only: 'postgres' },
    async (fixture) => {
      const { database, location } = fixture;
      const { id } = await createAccount(identityOf(database), { email: 'a@example.com', verified: true });
      const filter = await makeFilter(database, id);
      const script = join(import.meta.dirname, '../support/forecasts/run-and-die.ts');
      const child = spawn(process.execPath, [script, location.url ?? '', death], { stdio: 'inherit' });
      const [code, signal] = await once(child, 'exit');
      assert.deepEqual([code, signal], [null, 'SIGKILL']);

      const provider = manyBars();
      const scene = runScene(fixture, [provider]);
      const left = (await scene.metrics(RUN_SESSION)).length;
      assert.equal(left, death === 'between closes' ? 1_000 : 1_100);
      assert.equal(await runSession(scene.context, RUN_SESSION, { isLast: false }), 'taken');
      await sql`UPDATE screener_run SET claimed_until = clock_timestamp() - interval '1 second'`.execute(
        database.query(),
      );
      assert.equal(await runSession(scene.context, RUN_SESSION, { isLast: false }), 'completed');
      // What was stored is not asked for again, and nothing followed twice.
      assert.equal(provider.asked.flat().length, 1_100 - left);
      assert.deepEqual(scene.followed, [RUN_SESSION]);
      assert.equal((await scene.matches(filter.id, RUN_SESSION)).length, 1_100);
    },
  );
}
