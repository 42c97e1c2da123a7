import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import type { Database } from '../../src/platform/index.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { costSince, readServerCost, type ServerCost } from '../load/server-cost.ts';
import { openForecastContext, queueForecasts } from './queue-forecasts.ts';

/** The share of jobs that are not counted: the first ones, which end while workers and engines are still starting. */
const WARM_UP_SHARE = 0.25;

/** A database on PostgreSQL whose queue has small forecasts. */
export interface FullQueue extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  /** What the server used to create the jobs. */
  readonly creation: ServerCost;
  /** Waits until all jobs have completed. Returns how many did so in a second, without the first ones. */
  rate(): Promise<number>;
}

export async function openFullQueue(jobs: number, size?: Parameters<typeof queueForecasts>[2]): Promise<FullQueue> {
  const fixture = await openTestDatabase('postgres', { migrations: MIGRATIONS, queue: true });
  const { database, location } = fixture;
  const context = await openForecastContext(database, { supervise: false });
  const before = await readServerCost(database);
  await queueForecasts(context, jobs, size);
  const creation = costSince(before, await readServerCost(database));
  await context.queue.stop();
  return {
    database,
    creation,
    url: location.url ?? '',
    async rate() {
      for (;;) {
        const { rows } = await sql<{ finished_at: Date }>`
          SELECT finished_at FROM forecast WHERE status = 'completed' ORDER BY finished_at`.execute(database.query());
        if (rows.length === jobs) {
          const ends = rows.map(({ finished_at }) => finished_at.getTime());
          const warm = Math.floor(jobs * WARM_UP_SHARE);
          return ((jobs - warm) * 1_000) / ((ends.at(-1) ?? 0) - (ends[warm - 1] ?? 0));
        }
        await sleep(250);
      }
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
