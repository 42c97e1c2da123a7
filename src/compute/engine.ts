import { Worker } from 'node:worker_threads';
import type { ForecastRequest, ForecastResult, Progress } from '../forecasting/index.ts';
import { type EngineCommand, type EngineReport, readError } from './engine-messages.ts';

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
  readonly onProgress: ForecastOptions['onProgress'];
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
  const worker = new Worker(new URL('./engine-thread.ts', import.meta.url), { workerData: { threads } });
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
    if (report.kind === 'progress') return one?.onProgress?.(report.progress);
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
        const abort = (): void => {
          waiting.delete(id);
          send({ kind: 'cancel', id });
          reject(signal?.reason);
        };
        const leave = (): void => signal?.removeEventListener('abort', abort);
        waiting.set(id, {
          onProgress,
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
        send({ kind: 'forecast', id, request: plain(request) });
      }),
    close: async () => {
      finish(new Error('The engine was closed.'));
      await worker.terminate();
    },
  };
}

/** Rows as typed arrays, which cross between threads quickly whatever list they came in. */
function plain(request: ForecastRequest): ForecastRequest {
  return {
    ...request,
    timestamps: Float64Array.from(request.timestamps),
    values: Float64Array.from(request.values),
  };
}
