import { sql } from 'kysely';
import { openFoundation, startWorker } from '../../src/compose/index.ts';
import { createLog } from '../../src/platform/index.ts';
import type { Environment } from '../../test/support/cli/almanac-process.ts';
import { waitFor } from '../../test/support/forecasts/forecast-service.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';

/**
 * Runs every job that recurs once, on the database of a stopped service. Otherwise they would run in the first minutes of a
 * test, and change what it reads.
 */
export async function runRecurringJobs(environment: Environment, siteUrl: string): Promise<void> {
  const foundation = await openFoundation(loadTestConfig(environment), createLog('warn'));
  const { database } = foundation;
  try {
    const worker = await startWorker(foundation, { siteUrl: () => siteUrl });
    try {
      const { rows } = await sql<{ name: string }>`
        SELECT DISTINCT name FROM queue.schedule ORDER BY name`.execute(database.query());
      if (rows.length === 0) throw new Error('No job recurs.');
      for (const { name } of rows) await database.transaction((tx) => worker.queue.enqueue(tx, name, {}));
      const countUnfinished = async () => {
        const { rows: unfinished } = await sql<{ name: string; state: string }>`
          SELECT name, state::text FROM queue.job WHERE state < 'completed' AND start_after < now()`.execute(
          database.query(),
        );
        return unfinished;
      };
      await waitFor(countUnfinished, (unfinished) => unfinished.length === 0);
    } finally {
      await worker.stop({ timeoutMs: 10_000 });
    }
  } finally {
    await database.close();
  }
}
