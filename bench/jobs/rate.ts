import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import type { Database } from '../../src/platform/index.ts';
import { startWorkerProcess } from '../../test/chaos/worker-process.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { openForecastContext, queueForecasts } from './queue-forecasts.ts';

/** The share of jobs that are not counted: the first ones, which end while workers and engines are still starting. */
const WARM_UP_SHARE = 0.25;

/** Measures how many small jobs per second worker processes complete from a full queue. */
export async function measureRate(workers: number, jobs: number): Promise<{ readonly perSecond: number }> {
  await using fixture = await openTestDatabase('postgres', { migrations: MIGRATIONS, queue: true });
  const { database, location } = fixture;
  const context = await openForecastContext(database, { supervise: false });
  await queueForecasts(context, jobs);
  await context.queue.stop();
  const environment = { DATABASE_URL: location.url ?? '', ALMANAC_DATABASE_POOL: '5' };
  const processes = await Promise.all(Array.from({ length: workers }, () => startWorkerProcess(environment)));
  try {
    const ends = await waitForEnds(database, jobs);
    const warm = Math.floor(jobs * WARM_UP_SHARE);
    const seconds = ((ends.at(-1) ?? 0) - (ends[warm - 1] ?? 0)) / 1_000;
    return { perSecond: (jobs - warm) / seconds };
  } finally {
    await Promise.all(processes.map((worker) => worker.stop()));
  }
}

/** Waits until all jobs have ended. Returns their end times in order. */
async function waitForEnds(database: Database, jobs: number): Promise<number[]> {
  for (;;) {
    const { rows } = await sql<{ finished_at: Date }>`
      SELECT finished_at FROM forecast WHERE status = 'completed' ORDER BY finished_at`.execute(database.query());
    if (rows.length === jobs) return rows.map(({ finished_at }) => finished_at.getTime());
    await sleep(250);
  }
}
