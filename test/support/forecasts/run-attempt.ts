import { sql } from 'kysely';
import { type Engine, loadProphetRuntime } from '../../../src/compute/index.ts';
import { ForecastRequestBody } from '../../../src/contract/index.ts';
import { createInlineRunner, createModels, type ForecastResult, forecast } from '../../../src/engine/index.ts';
import { createForecast, FORECAST_QUEUE, runForecast } from '../../../src/forecasts/index.ts';
import type { ForecastTables } from '../../../src/forecasts/tables.ts';
import { createLog, type Database, type Log } from '../../../src/platform/index.ts';
import { type Caller, dailyPoints, type ForecastService, inlineRequest } from './forecast-service.ts';

/** A forecast with its queue entry. */
export interface QueuedForecast {
  readonly id: string;
  readonly job_id: string;
  readonly queue: string | null;
}

/** Creates a small forecast without the edge. */
export async function createDirectly(
  { forecasts: jobs }: ForecastService,
  { accountId }: Caller,
  idempotencyKey: string | null = null,
): Promise<string> {
  const account = { kind: 'account', accountId, plan: 'enterprise' } as Parameters<typeof createForecast>[1];
  return createForecast(jobs, account, ForecastRequestBody.parse(inlineRequest()), { idempotencyKey, network: null });
}

/** Marks the queue entry of a forecast as active, as the queue does for a worker. */
export async function activateJob(database: Database, id: string, attempt = 0): Promise<QueuedForecast> {
  const { job_id, queue } = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['job_id', 'queue'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await sql`UPDATE queue.job SET state = 'active', started_on = now(), retry_count = ${attempt} WHERE id = ${job_id}::uuid`.execute(
    database.query(),
  );
  return { id, job_id, queue };
}

const silent = createLog('silent');

/** Returns an open engine without threads. */
export function fakeEngine(runEngine: Engine['forecast']): Engine {
  return { models: [], forecast: runEngine, isOpen: () => true, close: async () => {} };
}

export interface AttemptOptions {
  readonly attempt?: number;
  readonly limitMs?: number;
  readonly log?: Log;
}

/** Runs one attempt at a forecast with the test's own engine, then completes the queue entry, as a worker does. */
export async function runAttempt(
  { forecasts: jobs, queue }: ForecastService,
  { id, job_id }: QueuedForecast,
  runEngine: Engine['forecast'],
  { attempt = 0, limitMs = 60_000, log = silent }: AttemptOptions = {},
): Promise<void> {
  const engine = fakeEngine(runEngine);
  const { signal } = new AbortController();
  const job = { id: job_id, attempt, data: { forecast_id: id }, signal };
  await runForecast({ ...jobs, engine, log, limitMs }, job);
  await queue.complete(jobs.database, FORECAST_QUEUE, job);
}

/** Computes the result of the small request with the real models, for fake engines to return. */
export async function computeResult(): Promise<ForecastResult> {
  const points = dailyPoints();
  return forecast(
    {
      cadence: { frequency: '1D', kind: 'plain' },
      timestamps: points.map(({ timestamp }) => Date.parse(timestamp)),
      values: points.map(({ value }) => value),
      horizon: 3,
      models: ['theta', 'ets'],
    },
    // In this thread: starting the threads of an engine takes longer than this forecast.
    { runner: createInlineRunner(createModels({ prophet: loadProphetRuntime() })) },
  );
}

/** Reads everything that the end of a forecast stores. */
export async function readOutcome(database: Database, { id, job_id }: Pick<QueuedForecast, 'id' | 'job_id'>) {
  const db = database.query<ForecastTables>();
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

/** Ends the delay before the next attempt and wakes the workers as pg-boss does; they would wait for seconds. */
export async function startRetries({ database }: Pick<ForecastService, 'database'>): Promise<void> {
  await sql`UPDATE queue.job SET start_after = now() WHERE state = 'retry'`.execute(database.query());
  await sql`
    SELECT pg_notify('pgboss_' || left(encode(sha224('queue'::bytea), 'hex'), 24), name)
    FROM queue.job WHERE state < 'active' GROUP BY name
  `.execute(database.query());
}
