import { createHash } from 'node:crypto';
import { type Engine, type ModelCheckpoints, readFingerprint } from '../../compute/index.ts';
import {
  type Comparison,
  canonicalResult,
  compareResults,
  ForecastError,
  type ForecastResult,
} from '../../engine/index.ts';
import { type ActiveJob, count, json, type Log } from '../../platform/index.ts';
import { contentId } from '../../provenance/index.ts';
import { readSnapshot, type Snapshot, type SnapshotContext } from '../../snapshots/index.ts';
import { failForecast } from '../fail-forecast.ts';
import { settle } from '../finish.ts';
import { proofOf } from '../proof-of.ts';
import { sayMissing } from '../say-missing.ts';
import type { ForecastSettings } from '../settings.ts';
import type { JobTables } from '../tables.ts';
import { failureOf, logFailure } from './failure-of.ts';
import { progressNotes } from './note-progress.ts';
import { type TakenForecast, takeForecast } from './take-forecast.ts';
import { watchForEnd } from './watch-for-end.ts';

export interface RunContext extends SnapshotContext {
  readonly engine: Engine;
  readonly checkpoints: ModelCheckpoints;
  readonly log: Log;
  /** The longest that one attempt may take. */
  readonly limitMs: number;
}

export interface ForecastJob {
  readonly forecast_id: string;
}

/**
 * Runs a queued forecast to its end. Throws only what another attempt may mend.
 *
 * The queue's own entry is completed afterwards, by the queue: if the process dies in between, the entry comes back, and
 * whoever takes it finds that the forecast has ended.
 */
export async function runForecast(context: RunContext, job: ActiveJob<ForecastJob>): Promise<void> {
  const { database, clock, log } = context;
  const forecast = await takeForecast(database, clock, job.data.forecast_id);
  // It was canceled, or ended by an attempt that was thought lost.
  if (forecast === null) return;
  const limit = AbortSignal.any([AbortSignal.timeout(context.limitMs), job.signal]);
  await using watched = watchForEnd(database, forecast, limit);
  const notes = progressNotes(context, forecast);
  try {
    await refuseMissingCheckpoints(context, forecast);
    const snapshot = await readSnapshot(context, forecast.snapshot_id);
    if (snapshot === null)
      throw new Error(`The snapshot ${forecast.snapshot_id} is gone though the forecast holds it.`);
    const result = await context.engine.forecast(requestOf(forecast.settings, snapshot), {
      signal: watched.signal,
      onProgress: notes.note,
      checkpoints: forecast.checkpoints,
    });
    await notes.stop();
    await complete(context, forecast, snapshot, result);
  } catch (error) {
    if (watched.hasEnded()) return;
    const failure = failureOf(error);
    if (failure === null) throw error;
    logFailure(log, forecast, failure, error);
    const isFailed = await database.transaction((tx) =>
      failForecast(tx, forecast.id, failure, clock.now(), forecast.attempt),
    );
    if (isFailed) count('forecasts_failed_total', { code: failure.code });
  } finally {
    await notes.stop();
  }
}

function requestOf(settings: ForecastSettings, { table }: Snapshot) {
  const { weights, ...rest } = settings;
  const [values] = Object.values(table.columns);
  return { ...rest, weights: weights ?? undefined, timestamps: table.timestamps, values: values ?? new Float64Array() };
}

/** A worker of another build, or without the files, must not run what was asked of this one. */
async function refuseMissingCheckpoints({ checkpoints }: RunContext, forecast: TakenForecast): Promise<void> {
  const missing = await checkpoints.missing(forecast.checkpoints);
  if (missing.length === 0) return;
  throw new ForecastError('CHECKPOINT_UNAVAILABLE', sayMissing(missing));
}

/** Accepts a result: only if this attempt still has the forecast, and nobody has ended it. */
async function complete(
  context: RunContext,
  forecast: TakenForecast,
  snapshot: Snapshot,
  result: ForecastResult,
): Promise<void> {
  const { database, clock } = context;
  const fingerprint = readFingerprint(forecast.settings.models);
  const comparison = await compare(context, forecast, snapshot, result);
  // Another machine's clock may have been ahead when the forecast was made.
  const now = new Date(Math.max(clock.now().getTime(), forecast.created_at.getTime()));
  const proof = proofOf({ ...forecast, result, fingerprint, finished_at: now }, snapshot);
  const isCompleted = await database.transaction(async (tx) => {
    const completed = await tx
      .query<JobTables>()
      .updateTable('forecast')
      .set({
        status: 'completed',
        result: json(result),
        result_sha256: createHash('sha256').update(canonicalResult(result)).digest('hex'),
        content_cid: contentId(proof),
        fingerprint: { ...fingerprint },
        comparison: comparison === null ? null : json(comparison),
        progress: json(finalProgress(forecast.settings)),
        finished_at: now,
      })
      .where('id', '=', forecast.id)
      .where('status', '=', 'running')
      .where('attempt', '=', forecast.attempt)
      .returning(['id', 'payer', 'guest_id', 'credits'])
      .executeTakeFirst();
    if (completed === undefined) return false;
    await settle(tx, completed, { kind: 'completed', data: { progress: finalProgress(forecast.settings) } }, now);
    return true;
  });
  if (isCompleted) count('forecasts_completed_total', {});
}

function finalProgress({ models }: ForecastSettings) {
  return { completed_models: models.length, total_models: models.length, current_model: null };
}

/** How a forecast that was run again compares with the first one; null where there is none to compare with. */
async function compare(
  { database }: RunContext,
  { reproduces }: TakenForecast,
  { table }: Snapshot,
  result: ForecastResult,
): Promise<Comparison | null> {
  if (reproduces === null) return null;
  const original = await database
    .query<JobTables>()
    .selectFrom('forecast')
    .select('result')
    .where('id', '=', reproduces)
    .executeTakeFirst();
  if (!original?.result) return null;
  const values = Object.values(table.columns)[0] ?? new Float64Array();
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
  return compareResults(original.result, result, Math.sqrt(variance));
}
