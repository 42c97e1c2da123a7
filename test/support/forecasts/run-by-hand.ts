import { sql } from 'kysely';
import { type Engine, startEngine } from '../../../src/compute/index.ts';
import { ForecastRequestBody } from '../../../src/contract/index.ts';
import type { ForecastResult } from '../../../src/engine/index.ts';
import { createForecast, FORECAST_QUEUE, runForecast } from '../../../src/forecasts/index.ts';
import type { JobTables } from '../../../src/forecasts/tables.ts';
import { createLog, type Database } from '../../../src/platform/index.ts';
import { dailyPoints, type ForecastService, inlineRequest, type Person } from './forecast-service.ts';

/** A forecast as the queue and the workers know it. */
export interface QueuedForecast {
  readonly id: string;
  readonly job_id: string;
}

/** Creates a small forecast as the edge does, without the edge. */
export async function createByHand(
  { jobs }: ForecastService,
  { accountId }: Person,
  idempotencyKey: string | null = null,
): Promise<string> {
  const account = { kind: 'account', accountId, plan: 'enterprise' } as Parameters<typeof createForecast>[1];
  return createForecast(jobs, account, ForecastRequestBody.parse(inlineRequest()), { idempotencyKey, network: null });
}

/** Takes the job off the queue as a worker would: it is active, for the attempt so many. */
export async function takeJob(database: Database, id: string, attempt = 0): Promise<QueuedForecast> {
  const { job_id } = await database
    .query<JobTables>()
    .selectFrom('forecast')
    .select('job_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await sql`UPDATE queue.job SET state = 'active', started_on = now(), retry_count = ${attempt} WHERE id = ${job_id}::uuid`.execute(
    database.query(),
  );
  return { id, job_id };
}

const log = createLog('silent');

/** One attempt at a forecast, with an engine of the test's own; the queue's entry is completed after it, as a worker does. */
export async function runByHand(
  { jobs, queue }: ForecastService,
  { id, job_id }: QueuedForecast,
  forecast: Engine['forecast'],
  { attempt = 0, limitMs = 60_000 }: { readonly attempt?: number; readonly limitMs?: number } = {},
): Promise<void> {
  const engine: Engine = { models: [], forecast, close: async () => {} };
  const { signal } = new AbortController();
  const job = { id: job_id, attempt, data: { forecast_id: id }, signal };
  await runForecast({ ...jobs, engine, log, limitMs }, job);
  await queue.complete(jobs.database, FORECAST_QUEUE, job);
}

/** A true result of the small request, for engines that answer at once. */
export async function trueResult(): Promise<ForecastResult> {
  const engine = await startEngine({ threads: 1 });
  const points = dailyPoints();
  try {
    return await engine.forecast({
      cadence: { frequency: '1D', kind: 'plain' },
      timestamps: points.map(({ timestamp }) => Date.parse(timestamp)),
      values: points.map(({ value }) => value),
      horizon: 3,
      models: ['theta', 'ets'],
    });
  } finally {
    await engine.close();
  }
}

/** Everything that an end leaves behind, once each. */
export async function endOf(database: Database, { id, job_id }: QueuedForecast) {
  const db = database.query<JobTables>();
  const { status, error, result, attempt } = await db
    .selectFrom('forecast')
    .select(['status', 'error', 'result', 'attempt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const events = await db
    .selectFrom('forecast_event')
    .select('kind')
    .where('forecast_id', '=', id)
    .where('kind', 'in', ['completed', 'failed'])
    .execute();
  const transfers = await db
    .selectFrom('ledger_entry')
    .select('transfer')
    .distinct()
    .where('forecast_id', '=', id)
    .where('transfer', 'not like', 'reserve:%')
    .execute();
  const { rows } = await sql<{ state: string }>`SELECT state FROM queue.job WHERE id = ${job_id}::uuid`.execute(
    database.query(),
  );
  return {
    status,
    code: error?.code ?? null,
    season: result?.season ?? null,
    attempt,
    events: events.map(({ kind }) => kind),
    transfers: transfers.map(({ transfer }) => transfer.slice(0, transfer.indexOf(':'))),
    job: rows[0]?.state,
  };
}
