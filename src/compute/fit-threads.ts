import { Worker } from 'node:worker_threads';
import type { FitOutcome, FitRunner, FitTask } from '../engine/index.ts';
import type { FittedModel } from './engine-messages.ts';
import type { EngineBundle } from './engines/engine-bundles.ts';
import {
  type FitThreadAnswer,
  type FitThreadData,
  type FitThreadReady,
  type FitThreadRequest,
  type FitTime,
  YOUNG_GENERATION_MB,
} from './thread-messages.ts';

/** A runner that reports how long fits took, because the engine itself has no clock. */
export interface TimedRunner extends FitRunner {
  run(task: FitTask, signal: AbortSignal | undefined, onFit?: (time: FitTime) => void): Promise<readonly FitOutcome[]>;
}

/** Threads that fit models. */
export interface FitThreads extends TimedRunner {
  /** Sets how many threads may be busy, and starts those that are missing. Idle ones stay, because they are warm. */
  setLimit(limit: number): void;
  /** Ends the threads and rejects the tasks that are still running. */
  close(): Promise<void>;
}

interface FitJob {
  readonly task: FitTask;
  readonly stop: Int32Array<SharedArrayBuffer>;
  /** `time` is omitted if the thread died. */
  resolve(outcomes: readonly FitOutcome[], time?: FitTime): void;
  reject(reason: unknown): void;
}

interface FitThread {
  readonly worker: Worker;
  job: FitJob | null;
  state: 'starting' | 'ready' | 'ending';
}

/**
 * How long an aborted fit may take to stop. A Prophet search cannot check the flag, so its thread is ended after this
 * time.
 */
const STOP_GRACE_MS = 50;

const CLOSED = 'The threads were closed.';
const ENDED = 'The thread ended.';

/** The largest heap of a thread, ten times as large as the longest series needs. A thread that exceeds it is broken. */
const MAX_HEAP_MB = 512;

/**
 * Starts threads that fit models. A thread that dies is replaced, and only the fit that it was running fails.
 *
 * @param onReplaced called after a thread has been replaced
 * @param bundle the engine whose models are fitted; by default the one in the sources
 */
export async function startFitThreads(
  count: number,
  onReplaced: () => void = () => {},
  bundle?: EngineBundle,
): Promise<FitThreads> {
  const threads = new Set<FitThread>();
  const queue: FitJob[] = [];
  let isClosed = false;
  let limit = Math.max(1, count);
  let models: readonly string[] = [];
  let sequentialModels: readonly string[] = [];

  const startThread = async (): Promise<void> => {
    const worker = new Worker(new URL('./fit-thread.ts', import.meta.url), {
      workerData: { bundle } satisfies FitThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const thread: FitThread = { worker, job: null, state: 'starting' };
    threads.add(thread);
    const ready = Promise.withResolvers<void>();
    worker.once('message', (message: FitThreadReady) => {
      ({ models, sequentialModels } = message);
      worker.on('message', ({ outcomes, time }: FitThreadAnswer) => {
        const { job } = thread;
        thread.job = null;
        if (outcomes !== null) job?.resolve(outcomes, time);
        assignJobs();
      });
      thread.state = 'ready';
      ready.resolve();
      assignJobs();
    });
    worker.on('error', (error) => {
      ready.reject(error);
      replaceThread(thread, error instanceof Error ? error.message : String(error));
    });
    worker.on('exit', () => {
      ready.reject(new Error(ENDED));
      replaceThread(thread, ENDED);
    });
    await ready.promise;
  };

  /** Fails the fit of a thread that died and starts another thread. */
  const replaceThread = (thread: FitThread, cause: string): void => {
    if (!threads.delete(thread)) return;
    const { job } = thread;
    job?.resolve(job.task.windows.map(() => ({ failure: { code: 'CRASHED', message: cause } })));
    // If a thread died before it was ready, its replacement would fail as well.
    if (isClosed || thread.state === 'starting') return;
    onReplaced();
    startThread().catch(() => {});
  };

  const assignJobs = (): void => {
    let free = limit - [...threads].filter(({ job }) => job !== null).length;
    for (const thread of threads) {
      if (queue.length === 0 || free <= 0) return;
      if (thread.job !== null || thread.state !== 'ready') continue;
      free -= 1;
      const job = queue.shift() as FitJob;
      thread.job = job;
      thread.worker.postMessage({ task: job.task, stop: job.stop } satisfies FitThreadRequest);
    }
  };

  const runTask = (
    task: FitTask,
    signal: AbortSignal | undefined,
    onFit: ((time: FitTime) => void) | undefined,
  ): Promise<readonly FitOutcome[]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error(CLOSED));
      if (signal?.aborted) return reject(signal.reason);
      const job: FitJob = {
        task,
        stop: new Int32Array(new SharedArrayBuffer(4)),
        resolve: (outcomes, time) => {
          signal?.removeEventListener('abort', abort);
          if (time !== undefined) onFit?.(time);
          resolve(outcomes);
        },
        reject: (reason) => {
          signal?.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      const abort = (): void => {
        Atomics.store(job.stop, 0, 1);
        reject(signal?.reason);
        const index = queue.indexOf(job);
        if (index >= 0) queue.splice(index, 1);
        const thread = [...threads].find((one) => one.job === job);
        if (thread === undefined) return;
        setTimeout(() => {
          if (thread.job !== job) return;
          thread.state = 'ending';
          void thread.worker.terminate();
        }, STOP_GRACE_MS).unref();
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(job);
      assignJobs();
    });

  try {
    await Promise.all(Array.from({ length: limit }, startThread));
  } catch (error) {
    isClosed = true;
    await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    throw error;
  }
  return {
    models,
    setLimit: (value) => {
      limit = Math.max(1, value);
      // A thread that cannot start is not needed: the others run its tasks.
      while (!isClosed && threads.size < limit) startThread().catch(() => {});
      assignJobs();
    },
    run: async (task, signal, onFit) => {
      if (sequentialModels.includes(task.model)) return runTask(task, signal, onFit);
      const parts = task.windows.map((window) => runTask({ ...task, windows: [window] }, signal, onFit));
      return (await Promise.all(parts)).flat();
    },
    close: async () => {
      isClosed = true;
      const running = [...threads].flatMap(({ job }) => (job === null ? [] : [job]));
      for (const job of [...queue.splice(0), ...running]) job.reject(new Error(CLOSED));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Returns the time of a fit that has just ended and that started at `started`, in terms of `performance.now()`. */
export function fitTimeSince(started: number): FitTime {
  return { startedAt: performance.timeOrigin + started, ms: performance.now() - started };
}

/** Wraps a runner for one forecast. `fitted` returns the cost of each model's fits so far. */
export function timeFits(runner: TimedRunner): { readonly runner: FitRunner; readonly fitted: () => FittedModel[] } {
  const models = new Map<string, FittedModel>();
  const add = (model: string, { startedAt, ms, endedSearches = 0 }: FitTime): void => {
    const before = models.get(model) ?? { startedAt, endedAt: startedAt, busyMs: 0, endedSearches: 0 };
    models.set(model, {
      model,
      startedAt: Math.min(before.startedAt, startedAt),
      endedAt: Math.max(before.endedAt, startedAt + ms),
      busyMs: before.busyMs + ms,
      endedSearches: before.endedSearches + endedSearches,
    });
  };
  return {
    runner: {
      models: runner.models,
      run: (task, signal) => runner.run(task, signal, (time) => add(task.model, time)),
    },
    fitted: () => [...models.values()],
  };
}
