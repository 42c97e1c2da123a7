import { createHash } from 'node:crypto';
import { type Engine, type ModelCheckpoints, namedEngine, readFingerprint } from '../../compute/index.ts';
import {
  type Comparison,
  canonicalResult,
  compareResults,
  ForecastError,
  type ForecastRequest,
  type ForecastResult,
  type Progress,
} from '../../engine/index.ts';
import { type ActiveJob, count, createCpuMeter, type Executor, type Log, untraced } from '../../platform/index.ts';
import { contentId, newSeal, type StampPolicy } from '../../provenance/index.ts';
import { readPatiently, type Snapshot, type SnapshotContext, soleColumn } from '../../snapshots/index.ts';
import { buildForecastProof } from '../forecast-proof.ts';
import {
  beginAttempt,
  completeForecast,
  type ForecastAttempt,
  failForecast,
  isAttemptCurrent,
  recordProgress,
} from '../forecast-state.ts';
import { countUnpaidCpu } from '../metering/unpaid-cpu.ts';
import { formatMissingCheckpoints } from '../missing-checkpoints.ts';
import type { ForecastSettings, ForecastTables } from '../tables.ts';
import { logFailure, toFailure } from './attempt-failure.ts';

export interface RunContext extends SnapshotContext {
  readonly engine: Engine;
  readonly checkpoints: ModelCheckpoints;
  readonly log: Log;
  /** Decides which proofs are stamped. */
  readonly stamps: StampPolicy;
  /** The time limit of one attempt. */
  readonly limitMs: number;
}

export interface ForecastJob {
  readonly forecast_id: string;
  /** The version of the engine of the build that created the forecast. Jobs of earlier builds do not have it. */
  readonly engine?: string;
}

/** One meter for the process, because its threads run all its forecasts. */
const cpu = createCpuMeter();

/**
 * Runs a queued forecast to its end. Throws only if another attempt may succeed.
 *
 * The queue completes the queue entry afterwards. If the process dies before that, the queue hands the entry out again,
 * and the next attempt finds that the forecast has ended.
 */
export async function runForecast(context: RunContext, job: ActiveJob<ForecastJob>): Promise<void> {
  const { database, clock, log } = context;
  const forecast = await beginAttempt(database, job.data.forecast_id, job.attempt, clock.now());
  // The forecast was canceled, an attempt that was presumed lost has ended it, or this attempt is presumed lost itself.
  if (forecast === null) return;
  const engine = engineOf(context, forecast, job.data);
  const limit = AbortSignal.any([AbortSignal.timeout(context.limitMs), job.signal]);
  await using watch = watchAttempt(database, forecast, limit);
  const progress = writeProgress(context, forecast);
  const endCpu = cpu.begin();
  let isPaid = false;
  try {
    await requireCheckpoints(context, forecast, engine);
    const snapshot = await readPatiently(context, forecast.snapshot_id, watch.signal);
    if (snapshot === null)
      throw new Error(`The snapshot ${forecast.snapshot_id} is missing although the forecast holds it.`);
    const result = await context.engine.forecast(toEngineRequest(forecast.settings, snapshot), {
      signal: watch.signal,
      onProgress: progress.report,
      onEndedSearches: (searches) =>
        log.warn(
          { forecast: forecast.id, searches },
          'the guard ended searches of prophet that used up their CPU time',
        ),
      checkpoints: forecast.checkpoints,
      engine,
    });
    await progress.stop();
    isPaid = await storeResult(context, forecast, { snapshot, result, engine });
  } catch (error) {
    if (watch.isLost()) return;
    const failure = toFailure(error);
    if (failure === null) {
      // Another process continues a forecast that a stopping service returns to the queue.
      const isInterrupted = job.signal.aborted;
      if (!isInterrupted) log.error({ err: error, forecast: forecast.id }, 'an attempt at a forecast broke');
      throw error;
    }
    logFailure(log, forecast, failure, error);
    const isFailed = await database.transaction((tx) =>
      failForecast(tx, forecast.id, failure, clock.now(), forecast.attempt),
    );
    if (isFailed) count('forecasts_failed_total', { code: failure.code });
  } finally {
    const seconds = endCpu();
    await progress.stop();
    if (!isPaid) {
      await countUnpaidCpu(database, forecast, seconds, clock.now()).catch((error) =>
        log.warn({ err: error, forecast: forecast.id }, 'the CPU of a forecast without a result could not be counted'),
      );
    }
  }
}

/** Returns the request to the engine for a forecast. */
export function toEngineRequest(settings: ForecastSettings, { table }: Pick<Snapshot, 'table'>): ForecastRequest {
  const { weights, notFittedModels: notFitted, engine: _, ...rest } = settings;
  return { ...rest, notFitted, weights: weights ?? undefined, timestamps: table.timestamps, values: soleColumn(table) };
}

/** Refuses a forecast whose checkpoints this worker does not have: it may run another build or lack the files. */
async function requireCheckpoints(
  { checkpoints }: RunContext,
  forecast: ForecastAttempt,
  engine: string,
): Promise<void> {
  const missing = await checkpoints.missing(forecast.checkpoints, engine);
  if (missing.length === 0) return;
  throw new ForecastError('CHECKPOINT_UNAVAILABLE', formatMissingCheckpoints(missing, checkpoints.engines.present));
}

/**
 * Returns the version of the engine that must run a forecast: the one it names or, if it names none, that of the build
 * that created it.
 */
function engineOf({ checkpoints }: RunContext, forecast: ForecastAttempt, job: ForecastJob): string {
  return namedEngine(forecast.checkpoints, forecast.settings.engine ?? job.engine) ?? checkpoints.engines.present;
}

/** Stores a result, unless the forecast has ended or another attempt holds it. Returns whether it was stored. */
async function storeResult(
  context: RunContext,
  forecast: ForecastAttempt,
  { snapshot, result, engine }: { snapshot: Snapshot; result: ForecastResult; engine: string },
): Promise<boolean> {
  const { database, clock } = context;
  const models = forecast.settings.models.length;
  const fingerprint = readFingerprint(forecast.settings.models, engine);
  const comparison = await compareWithOriginal(database, forecast, snapshot, result);
  // The clock of the machine that created the forecast may be ahead of this one.
  const now = new Date(Math.max(clock.now().getTime(), forecast.created_at.getTime()));
  const seal = newSeal();
  const proof = buildForecastProof({ ...forecast, result, fingerprint, finished_at: now }, snapshot, seal);
  const completed = {
    result,
    resultSha256: createHash('sha256').update(canonicalResult(result)).digest('hex'),
    contentId: contentId(proof),
    seal,
    fingerprint,
    comparison,
    progress: { completed_models: models, total_models: models, current_model: null },
  };
  const isCompleted = await database.transaction((tx) =>
    completeForecast(tx, forecast, completed, context.stamps, now),
  );
  if (isCompleted) count('forecasts_completed_total', {});
  return isCompleted;
}

/**
 * Compares a forecast with the one that it reproduces. Returns null if it reproduces none or the original has no
 * result.
 */
async function compareWithOriginal(
  executor: Executor,
  { reproduces }: ForecastAttempt,
  { table }: Snapshot,
  result: ForecastResult,
): Promise<Comparison | null> {
  if (reproduces === null) return null;
  const original = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('result')
    .where('id', '=', reproduces)
    .executeTakeFirst();
  if (!original?.result) return null;
  const values = soleColumn(table);
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
  return compareResults(original.result, result, Math.sqrt(variance));
}

/** A canceled forecast must stop within a second. */
const WATCH_INTERVAL_MS = 400;

interface AttemptWatch extends AsyncDisposable {
  /** Aborts with `limit`, and when the attempt no longer holds the forecast. */
  readonly signal: AbortSignal;
  /** Whether the forecast has ended or another attempt has taken it. */
  isLost(): boolean;
}

/** Checks at intervals whether an attempt still holds its forecast. */
function watchAttempt(executor: Executor, forecast: ForecastAttempt, limit: AbortSignal): AttemptWatch {
  const lost = new AbortController();
  let checking: Promise<void> = Promise.resolve();
  const check = async (): Promise<void> => {
    try {
      if (!(await isAttemptCurrent(executor, forecast))) lost.abort(new Error('The forecast has ended.'));
    } catch {
      // An unreachable database does not mean that the attempt is lost.
    }
  };
  const timer = setInterval(() => {
    checking = untraced(check);
  }, WATCH_INTERVAL_MS);
  return {
    signal: AbortSignal.any([limit, lost.signal]),
    isLost: () => lost.signal.aborted,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await checking;
    },
  };
}

/**
 * Shorter than the interval at which clients poll, but long enough not to slow down a forecast with many fast models.
 */
const PROGRESS_INTERVAL_MS = 100;

interface ProgressWriter {
  report(progress: Progress): void;
  /**
   * Resolves when no write is running. Progress that was not written yet is dropped, because the forecast is about to
   * end.
   */
  stop(): Promise<void>;
}

/**
 * Writes the progress of a forecast: the first step immediately, then the latest step at intervals. A failed write does
 * not delay or fail the forecast; the next write makes up for it.
 */
function writeProgress(
  { database, clock, log }: Pick<RunContext, 'database' | 'clock' | 'log'>,
  forecast: ForecastAttempt,
): ProgressWriter {
  let latest: Progress | null = null;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  const writeLatest = async (): Promise<void> => {
    const progress = latest;
    latest = null;
    if (progress !== null) {
      await recordProgress(database, forecast, progress, clock.now()).catch((error) =>
        log.warn({ err: error, forecast: forecast.id }, 'progress could not be written'),
      );
    }
    writing = null;
    if (!isStopped) timer = setTimeout(next, PROGRESS_INTERVAL_MS);
  };
  const next = (): void => {
    timer = null;
    if (latest !== null) writing = writeLatest();
  };
  return {
    report(progress) {
      latest = progress;
      if (writing === null && timer === null && !isStopped) next();
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await writing;
    },
  };
}
