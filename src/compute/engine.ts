import { Worker } from 'node:worker_threads';
import { type ForecastRequest, type ForecastResult, MAX_ROWS, type Progress } from '../engine/index.ts';
import { count } from '../platform/index.ts';
import type { CheckpointFolders } from './checkpoints/folders.ts';
import { type EngineCommand, type EngineReport, type EngineThreadData, readError } from './engine-messages.ts';
import type { FittedModel } from './fit-times.ts';
import { NURSERY_MB } from './thread-memory.ts';
import { startTotoThread } from './toto/start-toto-thread.ts';
import { watchForecast } from './watch-forecast.ts';

export interface ForecastOptions {
  /** Aborting rejects at once with its reason and ends the work, wherever it stands. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** By model the exact checkpoint. A model whose weights are files takes part only with one. */
  readonly checkpoints?: Readonly<Record<string, string>> | undefined;
}

export interface EngineOptions {
  /** As many as there are cores unless told otherwise. */
  readonly threads?: number | undefined;
  /** Left out: a model whose weights are files cannot run. */
  readonly checkpoints?: CheckpointFolders | undefined;
}

/** The engine in threads of its own. */
export interface Engine {
  /** The models that need no checkpoint. */
  readonly models: readonly string[];
  forecast(request: ForecastRequest, options?: ForecastOptions): Promise<ForecastResult>;
  /** Ends the threads; what still runs is rejected. Toto's is given up when it does not end within some seconds. */
  close(): Promise<void>;
}

interface Waiting {
  progress(step: Progress): void;
  fitted(models: readonly FittedModel[]): void;
  settle(result: ForecastResult): void;
  refuse(error: unknown): void;
}

/**
 * Starts the engine: one thread that plans and pools, threads that fit, and one in which Toto runs. The thread of the
 * caller only sends and receives.
 *
 * @example
 * const engine = await startEngine();
 * const { predictions } = await engine.forecast(request, { signal: AbortSignal.timeout(60_000) });
 * await engine.close();
 */
export async function startEngine({ threads, checkpoints }: EngineOptions = {}): Promise<Engine> {
  // A thread of ours, not of the engine's: if that one were ended, its own would be, and Toto's must not.
  const toto = checkpoints === undefined ? null : startTotoThread(checkpoints);
  const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), {
    workerData: { threads, totoPort: toto?.port } satisfies EngineThreadData,
    transferList: toto === null ? [] : [toto.port],
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  });
  const waiting = new Map<number, Waiting>();
  const ready = Promise.withResolvers<readonly string[]>();
  let end: Error | null = null;
  let lastId = 0;

  const finish = (cause: Error): void => {
    end ??= cause;
    ready.reject(end);
    for (const one of waiting.values()) one.refuse(end);
    waiting.clear();
  };
  const fail = (error: unknown): void => finish(error instanceof Error ? error : new Error(String(error)));
  for (const thread of [worker, toto?.worker]) {
    thread?.on('error', fail).on('exit', () => fail('The engine has ended.'));
  }
  worker.on('message', (report: EngineReport) => {
    if (report.kind === 'ready') return ready.resolve(report.models);
    if (report.kind === 'replaced') return count('engine_threads_replaced_total', {});
    const one = waiting.get(report.id);
    if (report.kind === 'progress') return one?.progress(report.progress);
    if (report.kind === 'fitted') return one?.fitted(report.models);
    waiting.delete(report.id);
    if (report.kind === 'done') one?.settle(report.result);
    else one?.refuse(readError(report.error));
  });

  const send = (command: EngineCommand): void => worker.postMessage(command);
  const close = async (cause: string): Promise<void> => {
    finish(new Error(cause));
    await toto?.close();
    await worker.terminate();
  };
  const ask = (
    request: ForecastRequest,
    { signal, onProgress, checkpoints: named }: ForecastOptions,
    onFitted: (models: readonly FittedModel[]) => void,
  ): Promise<ForecastResult> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      const giveUp = (reason: unknown): void => {
        waiting.delete(id);
        send({ kind: 'cancel', id });
        leave();
        reject(reason);
      };
      const abort = (): void => giveUp(signal?.reason);
      const leave = (): void => signal?.removeEventListener('abort', abort);
      // First of all: what cannot be sent is refused before anything waits for it.
      send({ kind: 'forecast', id, request: copyRequest(request), toto: named?.toto });
      waiting.set(id, {
        fitted: onFitted,
        progress: (step) => {
          try {
            onProgress?.(step);
          } catch (error) {
            giveUp(error);
          }
        },
        settle: (result) => {
          leave();
          resolve(result);
        },
        refuse: (error) => {
          leave();
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
    forecast: async (request, options = {}) => {
      if (end !== null) throw end;
      if (options.signal?.aborted) throw options.signal.reason;
      return watchForecast(request, (onFitted) => ask(request, options, onFitted));
    },
    close: () => close('The engine was closed.'),
  };
}

/**
 * Rows as typed arrays, which cross between threads quickly whatever list they came in. What is no number stays none: the
 * engine refuses it by name.
 */
function copyRequest(request: ForecastRequest): ForecastRequest {
  const copy = (list: ArrayLike<number>): Float64Array => {
    // One more than may be: that many are refused, and a list that claims billions costs nothing.
    const length = Math.min(list.length, MAX_ROWS + 1);
    return Float64Array.from({ length }, (_, i) => (typeof list[i] === 'number' ? list[i] : Number.NaN));
  };
  return { ...request, timestamps: copy(request.timestamps), values: copy(request.values) };
}
