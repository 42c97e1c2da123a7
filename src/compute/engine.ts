import { Worker } from 'node:worker_threads';
import { type ForecastRequest, type ForecastResult, MOST_ROWS, type Progress } from '../forecasting/index.ts';
import { type EngineCommand, type EngineReport, readError } from './engine-messages.ts';
import { NURSERY_MB } from './thread-memory.ts';

export interface ForecastOptions {
  /** Aborting rejects at once with its reason and ends the work, wherever it stands. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The engine in threads of its own. */
export interface Engine {
  /** The models that can run. */
  readonly models: readonly string[];
  forecast(request: ForecastRequest, options?: ForecastOptions): Promise<ForecastResult>;
  /** Ends the threads; what still runs is rejected. */
  close(): Promise<void>;
}

interface Waiting {
  progress(step: Progress): void;
  settle(result: ForecastResult): void;
  refuse(error: unknown): void;
}

/**
 * Starts the engine: one thread that plans and pools, and threads that fit, as many as there are cores unless told
 * otherwise. The thread of the caller only sends and receives.
 *
 * @example
 * const engine = await startEngine();
 * const { predictions } = await engine.forecast(request, { signal: AbortSignal.timeout(60_000) });
 * await engine.close();
 */
export async function startEngine(threads?: number): Promise<Engine> {
  const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), {
    workerData: { threads },
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
  worker.on('error', (error) => finish(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => finish(new Error('The engine has ended.')));
  worker.on('message', (report: EngineReport) => {
    if (report.kind === 'ready') return ready.resolve(report.models);
    const one = waiting.get(report.id);
    if (report.kind === 'progress') return one?.progress(report.progress);
    waiting.delete(report.id);
    if (report.kind === 'done') one?.settle(report.result);
    else one?.refuse(readError(report.error));
  });

  const send = (command: EngineCommand): void => worker.postMessage(command);
  const models = await ready.promise;
  return {
    models,
    forecast: (request, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        if (end !== null) return reject(end);
        if (signal?.aborted) return reject(signal.reason);
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
        send({ kind: 'forecast', id, request: copyRequest(request) });
        waiting.set(id, {
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
      }),
    close: async () => {
      finish(new Error('The engine was closed.'));
      await worker.terminate();
    },
  };
}

/**
 * Rows as typed arrays, which cross between threads quickly whatever list they came in. What is no number stays none: the
 * engine refuses it by name.
 */
function copyRequest(request: ForecastRequest): ForecastRequest {
  const copy = (list: ArrayLike<number>): Float64Array => {
    // One more than may be: that many are refused, and a list that claims billions costs nothing.
    const length = Math.min(list.length, MOST_ROWS + 1);
    return Float64Array.from({ length }, (_, i) => (typeof list[i] === 'number' ? list[i] : Number.NaN));
  };
  return { ...request, timestamps: copy(request.timestamps), values: copy(request.values) };
}
