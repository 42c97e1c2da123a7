import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { arch, version } from 'node:process';
import { ENGINE_VERSION, type ForecastRequest, type ForecastResult, MAX_ROWS, type Progress } from '../engine/index.ts';
import { type CoreShare, count, fixedShare, observe, traced } from '../platform/index.ts';
import type { CheckpointFolders } from './checkpoints/checkpoint.ts';
import { deserializeError, type EngineReport, type FittedModel } from './engine-messages.ts';
import { shareEarlierEngines } from './engines/earlier-engines.ts';
import { type EngineBundle, type EngineBundles, openEngineBundles } from './engines/engine-bundles.ts';
import { spawnEngine } from './spawn-engine.ts';

export interface ForecastOptions {
  /** Aborting it rejects the forecast immediately with its reason, and stops the work. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called once before the forecast ends, if the guard ended Prophet searches. */
  readonly onEndedSearches?: ((count: number) => void) | undefined;
  /**
   * The id of the exact checkpoint of each model. A model whose weights are files takes part only if its checkpoint is
   * named.
   */
  readonly checkpoints?: Readonly<Record<string, string>> | undefined;
  /** The version of the engine that must run the forecast. Default: the version in the sources. */
  readonly engine?: string | undefined;
}

export interface EngineOptions {
  /** The fit threads that a forecast may use: a number, or a share of the cores. Default: the number of cores. */
  readonly threads?: number | CoreShare | undefined;
  /** If omitted, models whose weights are files cannot run. */
  readonly checkpoints?: CheckpointFolders | undefined;
  /** The earlier versions that can run. Default: those of this build. */
  readonly engines?: EngineBundles | undefined;
  /** The time after which a process that does not respond is killed, which rejects its forecasts. Default: 60. 0: never. */
  readonly stuckSeconds?: number | undefined;
}

/** The engine in its own process. */
export interface Engine {
  /** The models that need no checkpoint. */
  readonly models: readonly string[];
  /** Returns false if the engine was closed or its process has ended. */
  isOpen(): boolean;
  forecast(request: ForecastRequest, options?: ForecastOptions): Promise<ForecastResult>;
  /** Ends the process and rejects running forecasts. */
  close(): Promise<void>;
}

interface PendingForecast {
  progress(step: Progress): void;
  fitted(models: readonly FittedModel[]): void;
  resolve(result: ForecastResult): void;
  reject(error: unknown): void;
}

/**
 * Starts the engine: a process that plans and pools, with threads that fit models. The first forecast that needs Toto
 * starts a thread for it, and the first forecast of an earlier version starts that engine in a process of its own. The
 * calling process only sends and receives messages.
 *
 * @param bundle the engine to start; by default the one in the sources
 * @example
 * const engine = await startEngine();
 * const { predictions } = await engine.forecast(request, { signal: AbortSignal.timeout(60_000) });
 * await engine.close();
 */
export async function startEngine(
  {
    threads = availableParallelism(),
    checkpoints,
    engines = openEngineBundles(),
    stuckSeconds = 60,
  }: EngineOptions = {},
  bundle?: EngineBundle,
): Promise<Engine> {
  const cores = typeof threads === 'number' ? fixedShare(threads) : threads;
  const version = bundle?.version ?? engines.present;
  const earlier = shareEarlierEngines(engines, (found) =>
    startEngine({ threads: cores, checkpoints, engines, stuckSeconds }, found),
  );
  const pending = new Map<number, PendingForecast>();
  const ready = Promise.withResolvers<readonly string[]>();
  let endError: Error | null = null;
  let lastId = 0;
  let countedCpuMs = 0;

  const end = (cause: Error): void => {
    endError ??= cause;
    ready.reject(endError);
    for (const forecast of pending.values()) forecast.reject(endError);
    pending.clear();
  };
  const accept = (report: EngineReport): void => {
    if (report.kind === 'ready') ready.resolve(report.models);
    else if (report.kind === 'broken') end(deserializeError(report.error));
    else if (report.kind === 'replaced') count('engine_threads_replaced_total', {});
    else if (report.kind !== 'alive') acceptForecast(report);
  };
  const acceptForecast = (report: Extract<EngineReport, { readonly id: number }>): void => {
    const forecast = pending.get(report.id);
    if (report.kind === 'progress') forecast?.progress(report.progress);
    if (report.kind === 'fitted') {
      count('engine_cpu_seconds_total', {}, (report.cpuMs - countedCpuMs) / 1_000);
      countedCpuMs = report.cpuMs;
      forecast?.fitted(report.models);
    }
    if (report.kind !== 'done' && report.kind !== 'failed') return;
    pending.delete(report.id);
    if (report.kind === 'done') forecast?.resolve(report.result);
    else forecast?.reject(deserializeError(report.error));
  };
  const engine = spawnEngine({ folders: checkpoints, bundle }, stuckSeconds, accept, end);
  const close = async (cause: string): Promise<void> => {
    end(new Error(cause));
    await Promise.all([earlier.close(), engine.end()]);
  };
  const sendForecast = (
    request: ForecastRequest,
    { signal, onProgress, checkpoints: chosen }: ForecastOptions,
    threads: number,
    onFitted: (models: readonly FittedModel[]) => void,
  ): Promise<ForecastResult> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      const cancel = (reason: unknown): void => {
        pending.delete(id);
        engine.send({ kind: 'cancel', id });
        stopListening();
        reject(reason);
      };
      const abort = (): void => cancel(signal?.reason);
      const stopListening = (): void => signal?.removeEventListener('abort', abort);
      // Sent before the forecast is registered: if the request cannot be cloned, this throws and nothing has to be
      // undone.
      engine.send({ kind: 'forecast', id, request: copyRequest(request), threads, toto: chosen?.toto });
      pending.set(id, {
        fitted: onFitted,
        progress: (step) => {
          try {
            onProgress?.(step);
          } catch (error) {
            cancel(error);
          }
        },
        resolve: (result) => {
          stopListening();
          resolve(result);
        },
        reject: (error) => {
          stopListening();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
    });

  const models = await ready.promise.catch(async (error) => {
    await close('The engine could not be started.');
    throw error;
  });
  return {
    models,
    isOpen: () => endError === null,
    forecast: async (request, options = {}) => {
      if (endError !== null) throw endError;
      if (options.signal?.aborted) throw options.signal.reason;
      if (options.engine !== undefined && options.engine !== version) {
        return earlier.use(options.engine, options.signal, (engine) => engine.forecast(request, options));
      }
      const { threads, release } = cores.take();
      const run = measureForecast(request, options, (onFitted) => sendForecast(request, options, threads, onFitted));
      return run.finally(release);
    },
    close: () => close('The engine was closed.'),
  };
}

/**
 * Copies the rows into typed arrays, which can be passed between processes quickly. A value that is not a number becomes
 * NaN, for which the engine has a clear error.
 */
function copyRequest(request: ForecastRequest): ForecastRequest {
  const copy = (list: ArrayLike<number>): Float64Array => {
    // At most one row beyond the limit is copied: enough for the engine to refuse the request, and a huge list costs no
    // memory.
    const length = Math.min(list.length, MAX_ROWS + 1);
    return Float64Array.from({ length }, (_, i) => (typeof list[i] === 'number' ? list[i] : Number.NaN));
  };
  return { ...request, timestamps: copy(request.timestamps), values: copy(request.values) };
}

/** Runs a forecast with metrics and traces: one span for the forecast and one below it for each model. */
function measureForecast(
  request: ForecastRequest,
  { onEndedSearches }: ForecastOptions,
  run: (onFitted: (models: readonly FittedModel[]) => void) => Promise<ForecastResult>,
): Promise<ForecastResult> {
  return traced({ name: 'forecast', kind: 'internal' }, (span) => {
    span?.set({
      'almanac.frequency': request.cadence.frequency,
      'almanac.rows': request.values.length,
      'almanac.horizon': request.horizon,
    });
    return run((models) => {
      for (const { model, startedAt, endedAt, busyMs, endedSearches } of models) {
        observe('model_fit_duration_seconds', { model }, busyMs / 1000);
        const attributes = { 'almanac.model': model, 'almanac.busy_ms': Math.round(busyMs) };
        span?.addFinished({ name: `fit ${model}`, kind: 'internal', attributes }, startedAt, endedAt);
        if (endedSearches > 0) onEndedSearches?.(endedSearches);
      }
    });
  });
}

/**
 * Everything besides the request that determines the digits of a forecast. Machines with the same fingerprint compute
 * the same bytes.
 */
export interface Fingerprint {
  readonly engine: string;
  readonly node: string;
  readonly architecture: string;
  /** The version of onnxruntime; null if no neural model takes part. */
  readonly onnxruntime: string | null;
  /** The widest vector instructions of the CPU, on which the digits of neural runtimes depend. */
  readonly cpu: string;
}

/**
 * @param models the models of the forecast, because only neural models depend on onnxruntime
 * @param engine the version of the engine that ran the forecast
 */
export function readFingerprint(models: readonly string[], engine: string = ENGINE_VERSION): Fingerprint {
  return {
    engine,
    node: version,
    architecture: arch,
    onnxruntime: models.includes('toto') ? onnxruntimeVersion() : null,
    cpu: cpuClass(readCpuInfo()),
  };
}

/** Reads the version from the package file, because only Toto's thread loads the runtime. */
function onnxruntimeVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('onnxruntime-node'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The widest first, because a runtime uses the widest vector instructions of the CPU. */
const VECTOR_CLASSES = ['avx512f', 'avx2', 'avx', 'sse4_2', 'sve2', 'sve', 'asimd', 'neon'] as const;

/** Returns the widest vector instructions that a Linux cpuinfo lists, or `generic`. */
export function cpuClass(cpuInfo: string): string {
  const line = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo)?.[1] ?? '';
  const features = new Set(line.trim().split(/\s+/));
  return VECTOR_CLASSES.find((name) => features.has(name)) ?? 'generic';
}

function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    // The file exists only on Linux.
    return '';
  }
}
