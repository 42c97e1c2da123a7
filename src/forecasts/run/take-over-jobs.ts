import { sql } from 'kysely';
import { CheckpointError, type ModelCheckpoints } from '../../compute/index.ts';
import type { Database, Log, Queue, Transaction } from '../../platform/index.ts';
import { engineOfQueue, forecastQueue, UNVERSIONED_QUEUE } from '../forecast-queues.ts';
import type { ForecastTables } from '../tables.ts';
import { listForecastBacklogs } from './forecast-backlogs.ts';

export interface TakeOverContext {
  readonly database: Database;
  readonly queue: Queue;
  readonly checkpoints: ModelCheckpoints;
  readonly log: Log;
}

/** The jobs of one transaction. */
const MAX_JOBS = 100;

/**
 * Moves waiting jobs that no worker takes to the queue of this build: those of builds that did not name their queue by
 * engine, and those of other versions of the engine for which no worker is left and whose bundle is here. A moved job keeps
 * its place and its attempts, and still runs in the engine of its build. Jobs of an engine that is not here stay where they
 * are.
 *
 * @returns the number of moved jobs
 */
export async function takeOverJobs(context: TakeOverContext): Promise<number> {
  const { database, checkpoints, log } = context;
  const { present } = checkpoints.engines;
  const backlogs = await listForecastBacklogs(database);
  const abandoned = backlogs.filter((one) => one.engine !== present && one.waiting > 0 && one.workers === 0);
  if (abandoned.length === 0) return 0;
  const runnable = [present, ...(await checkpoints.engines.list()).map(({ version }) => version)];
  let moved = 0;
  for (const { queue: from } of abandoned) {
    if (!(await hasEngine(checkpoints, engineOfQueue(from)))) continue;
    const move = { from, to: forecastQueue(present), runnable };
    for (let jobs = MAX_JOBS; jobs === MAX_JOBS; moved += jobs) {
      jobs = await database.transaction((tx) => moveJobs(context.queue, tx, move));
    }
  }
  if (moved > 0) log.info({ jobs: moved }, 'took over forecasts for which no other worker is left');
  return moved;
}

/** Returns whether the jobs of a queue can run here. Those of the queue without a version name their engine themselves. */
async function hasEngine({ engines }: ModelCheckpoints, engine: string | null): Promise<boolean> {
  if (engine === null) return true;
  try {
    return (await engines.find(engine)) !== null;
  } catch (error) {
    if (error instanceof CheckpointError) return false;
    throw error;
  }
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** The versions of the engine that can run here. */
  readonly runnable: readonly string[];
}

/** Builds without named queues gave each plan a hundred priorities: 99 for the first forecast of a payer, 0 for the last. */
const PRESENT_PRIORITY = sql`
  (priority / 100) * 1000 - CASE WHEN priority % 100 = 0 THEN 999 ELSE 99 - priority % 100 END`;

/** pg-boss cannot move a job, so its name is changed directly. Both queues have the same options. */
async function moveJobs(queue: Queue, tx: Transaction, { from, to, runnable }: Move): Promise<number> {
  const engines = runnable.map((version) => `engine-${version}`);
  const { rows: found } = await sql<{ job: string; forecast: string | null }>`
    SELECT job.id::text AS job, forecast.id AS forecast
    FROM queue.job AS job
    LEFT JOIN forecast ON forecast.id = job.data->>'forecast_id'
    WHERE job.name = ${from} AND job.state < 'active' AND NOT EXISTS (
      SELECT 1 FROM jsonb_each_text(forecast.checkpoints::jsonb) AS needed
      WHERE needed.value LIKE 'engine-%' AND needed.value <> ALL(${engines}::text[])
    )
    ORDER BY job.priority DESC, job.created_on LIMIT ${MAX_JOBS}`.execute(tx.query());
  // Forecasts are locked before jobs, as a cancellation does. What another transaction holds is moved the next time.
  const { rows: locked } = await sql<{ id: string }>`
    SELECT id FROM forecast WHERE id = ANY(${found.map(({ forecast }) => forecast)}::text[])
    FOR NO KEY UPDATE SKIP LOCKED`.execute(tx.query());
  const ids = new Set(locked.map(({ id }) => id));
  const movable = found.filter(({ forecast }) => forecast === null || ids.has(forecast));
  const { rows: moved } = await sql<{ id: string; priority: number; forecast: string }>`
    UPDATE queue.job SET name = ${to}, priority = ${from === UNVERSIONED_QUEUE ? PRESENT_PRIORITY : sql`priority`}
    WHERE name = ${from} AND id IN (
      SELECT id FROM queue.job
      WHERE name = ${from} AND id = ANY(${movable.map(({ job }) => job)}::uuid[]) AND state < 'active'
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id::text, priority, data->>'forecast_id' AS forecast`.execute(tx.query());
  await tx
    .query<ForecastTables>()
    .updateTable('forecast')
    .set({ queue: to })
    .where('id', 'in', ['', ...moved.map(({ forecast }) => forecast)])
    .execute();
  const [first] = moved;
  // Wakes the workers.
  if (first !== undefined) await queue.changePriority(tx, to, first.id, first.priority);
  return moved.length;
}
