import { sql } from 'kysely';
import { loadProphetRuntime } from '../../../src/compute/index.ts';
import { createInlineRunner, createModels, forecast, type Model } from '../../../src/engine/index.ts';
import { type Database, json } from '../../../src/platform/index.ts';
import { type Caller, create, type ForecastService, type Started } from './forecast-service.ts';
import { activateJob, runAttempt } from './run-attempt.ts';

/** Creates a forecast and computes it in this thread: starting the threads of an engine would take longer. */
export async function createCompleted(service: ForecastService, caller: Caller, fields: object = {}): Promise<Started> {
  const { data, status, body } = await create(caller, { models: ['theta'], ...fields });
  if (status !== 202) throw new Error(body);
  await completeForecast(service, data.forecast_id);
  return data;
}

/** Computes a queued forecast in this thread. Theta takes the place of toto, whose network runs in other threads. */
export async function completeForecast(service: ForecastService, id: string): Promise<void> {
  const models = createModels({ prophet: loadProphetRuntime() });
  const runner = createInlineRunner(new Map([...models, ['toto', models.get('theta') as Model]]));
  await runAttempt(service, await activateJob(service.database, id), (request) => forecast(request, { runner }));
}

export interface RecordedRow {
  readonly step: number;
  readonly timestamp: string;
  readonly actual: number;
  readonly replayed?: boolean;
}

/** Records an outcome as the check of outcomes would, without its reads. */
export async function recordOutcome(
  database: Database,
  forecastId: string,
  rows: readonly RecordedRow[],
  metrics: object | null = null,
): Promise<void> {
  const status = rows.length === 0 ? 'waiting' : 'partial';
  await sql`
    INSERT INTO forecast_outcome (forecast_id, status, metrics) VALUES (${forecastId}, ${status}, ${metrics && json(metrics)})
    ON CONFLICT (forecast_id) DO UPDATE SET status = excluded.status, metrics = excluded.metrics`.execute(
    database.query(),
  );
  for (const { step, timestamp, actual, replayed = false } of rows) {
    await sql`
      INSERT INTO forecast_outcome_row (forecast_id, step, timestamp, actual, replayed, recorded_at)
      VALUES (${forecastId}, ${step}, ${timestamp}, ${actual}, ${replayed}, now())`.execute(database.query());
  }
}
