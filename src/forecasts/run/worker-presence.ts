import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { once, sleepUnlessAborted, untraced } from '../../platform/index.ts';
import { type TakeOverContext, takeOverJobs } from './take-over-jobs.ts';

/** How often a worker reports and looks for jobs that no worker takes. */
const REPORT_MS = 5_000;

/**
 * Reports that this process takes forecasts of its version of the engine, until it ends. With each report, it takes over
 * the jobs of other versions for which no worker is left.
 */
export async function reportPresence(context: TakeOverContext): Promise<{ end(): Promise<void> }> {
  const { database, checkpoints, log } = context;
  const id = randomUUID();
  const stop = new AbortController();
  const report = async (): Promise<void> => {
    await sql`
      WITH old AS (DELETE FROM forecast_worker WHERE seen_at < now() - interval '1 day')
      INSERT INTO forecast_worker (id, engine, seen_at) VALUES (${id}, ${checkpoints.engines.present}, now())
      ON CONFLICT (id) DO UPDATE SET seen_at = now()`.execute(database.query());
  };
  const repeat = async (): Promise<void> => {
    for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
      try {
        if (!isFirst) await report();
        await takeOverJobs(context);
      } catch (error) {
        // The database logs once that its disk is full.
        if (!stop.signal.aborted && (error as Error).name !== 'DiskFullError')
          log.warn({ err: error }, 'a forecast worker could not report');
      }
      await sleepUnlessAborted(REPORT_MS, stop.signal).catch(() => {});
    }
  };
  await report();
  const repeating = untraced(repeat);
  const end = once(async () => {
    stop.abort();
    await repeating;
    // If this fails, the row counts until it is too old.
    await sql`DELETE FROM forecast_worker WHERE id = ${id}`.execute(database.query()).catch(() => {});
  });
  return { end };
}
