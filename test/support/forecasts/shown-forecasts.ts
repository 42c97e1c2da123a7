import { sql } from 'kysely';
import { type Executor, systemClock } from '../../../src/platform/index.ts';
import { freeze } from '../../../src/snapshots/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { addListedForecasts, type ListedFields, setOutcome } from './listed-forecasts.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 5);

/** A forecast as a list shows it, with rows and predictions that a small line can draw. */
export interface ShownFields extends ListedFields {
  /** How many of the models are done, of a running forecast. */
  readonly done?: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly outcome?: { readonly status: 'waiting' | 'partial' | 'unavailable'; readonly relative_wql?: number };
  readonly seed?: number;
}

/** Inserts forecasts without running them. Returns their ids. */
export async function addShownForecasts(executor: Executor, forecasts: readonly ShownFields[]): Promise<string[]> {
  const ids = await addListedForecasts(executor, forecasts);
  for (const [i, fields] of forecasts.entries()) {
    const id = ids[i] as string;
    const history = walk(60, fields.seed ?? i + 1);
    const timestamps = Float64Array.from(history, (_, row) => START - (history.length - row) * DAY_MS);
    const table = { timestamps, columns: { value: Float64Array.from(history) } };
    const { id: snapshotId } = await freeze({ database: executor, clock: systemClock }, { about: {}, table });
    await sql`UPDATE forecast SET snapshot_id = ${snapshotId} WHERE id = ${id}`.execute(executor.query());
    await complete(executor, id, fields, history.at(-1) ?? 0);
  }
  return ids;
}

async function complete(executor: Executor, id: string, fields: ShownFields, last: number): Promise<void> {
  const { done, error, outcome, horizon = 3, wql = null, models = ['theta', 'ets'] } = fields;
  const db = executor.query();
  if (done !== undefined) {
    const progress = { completed_models: done, total_models: models.length, current_model: models[done] ?? null };
    await sql`UPDATE forecast SET progress = ${JSON.stringify(progress)}::jsonb WHERE id = ${id}`.execute(db);
  }
  if (error !== undefined) {
    const stored = JSON.stringify({ ...error, retryable: false });
    await sql`UPDATE forecast SET error = ${stored}::jsonb WHERE id = ${id}`.execute(db);
  }
  if (fields.finishedAt === undefined || fields.finishedAt === null || fields.status === 'failed') return;
  const metrics = wql === null ? {} : { average_wql: wql };
  const result = { predictions: predict(horizon, last), members: [], season: 1, historical_validation: { metrics } };
  await sql`
    UPDATE forecast
    SET result = ${JSON.stringify(result)}::json,
      settings = jsonb_set(settings::jsonb, '{quantiles}', '[0.1, 0.5, 0.9]')::json
    WHERE id = ${id}`.execute(db);
  if (outcome === undefined) return;
  const { status, relative_wql } = outcome;
  await setOutcome(executor, id, status, relative_wql === undefined ? null : { average_wql: 0.04, relative_wql });
}

function walk(rows: number, seed: number): number[] {
  const random = createSeededRandom(seed);
  let value = 100;
  return Array.from({ length: rows }, () => {
    value += 3 * (random() - 0.45);
    return value;
  });
}

/** Returns a fan that opens with the root of the step. */
function predict(horizon: number, last: number): object[] {
  return Array.from({ length: horizon }, (_, i) => {
    const [middle, width] = [last + 0.2 * i, 2 * Math.sqrt(i + 1)];
    return {
      timestamp: new Date(START + i * DAY_MS).toISOString(),
      quantiles: { '0.1': middle - width, '0.5': middle, '0.9': middle + width },
    };
  });
}
