import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type FitOutcome, type FitTask, MODEL_CATALOGUE } from '../engine/index.ts';
import type { FitTime, TimedRunner } from './fit-times.ts';
import { NURSERY_MB } from './thread-memory.ts';
import type { ThreadAnswer, ThreadReady, ThreadRequest } from './thread-messages.ts';

/** Threads that fit models. `close` ends them; what still runs is rejected. */
export interface FitThreads extends TimedRunner {
  close(): Promise<void>;
}

interface Job {
  readonly task: FitTask;
  readonly stop: Int32Array<SharedArrayBuffer>;
  /** `time` is left out where a thread died and nobody knows. */
  settle(outcomes: readonly FitOutcome[], time?: FitTime): void;
  refuse(reason: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  state: 'starting' | 'ready' | 'ending';
}

/** A stopped fit that has not let go by then cannot be waited for (Prophet's cannot look at the flag): its thread ends. */
const LETTING_GO_MS = 50;

const CLOSED = 'The threads were closed.';
const ENDED = 'The thread ended.';

/** How much a thread may hold before it is taken for broken: ten times what the longest series needs. */
const MAX_HEAP_MB = 512;

/**
 * Starts threads that fit models, as many as there are cores unless told otherwise. A thread that dies is replaced and
 * costs only the model it was fitting; `onReplaced` is told.
 */
export async function startFitThreads(
  count: number = availableParallelism(),
  onReplaced: () => void = () => {},
): Promise<FitThreads> {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let isClosed = false;
  let models: readonly string[] = [];

  const start = async (): Promise<void> => {
    const worker = new Worker(new URL('./fit-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: NURSERY_MB },
    });
    const thread: Thread = { worker, job: null, state: 'starting' };
    threads.add(thread);
    const ready = Promise.withResolvers<void>();
    worker.once('message', (said: ThreadReady) => {
      models = said.models;
      worker.on('message', ({ outcomes, time }: ThreadAnswer) => {
        const { job } = thread;
        thread.job = null;
        if (outcomes !== null) job?.settle(outcomes, time);
        next();
      });
      thread.state = 'ready';
      ready.resolve();
      next();
    });
    worker.on('error', (error) => {
      ready.reject(error);
      bury(thread, error instanceof Error ? error.message : String(error));
    });
    worker.on('exit', () => {
      ready.reject(new Error(ENDED));
      bury(thread, ENDED);
    });
    await ready.promise;
  };

  /** Whatever a dead thread was fitting has failed; the others go on, and a new thread takes its place. */
  const bury = (thread: Thread, cause: string): void => {
    if (!threads.delete(thread)) return;
    const { job } = thread;
    job?.settle(job.task.windows.map(() => ({ failure: { code: 'CRASHED', message: cause } })));
    // One that never came up would not come up again either.
    if (isClosed || thread.state === 'starting') return;
    onReplaced();
    start().catch(() => {});
  };

  const next = (): void => {
    for (const thread of threads) {
      if (waiting.length === 0) return;
      if (thread.job !== null || thread.state !== 'ready') continue;
      const job = waiting.shift() as Job;
      thread.job = job;
      thread.worker.postMessage({ task: job.task, stop: job.stop } satisfies ThreadRequest);
    }
  };

  const runOne = (
    task: FitTask,
    signal: AbortSignal | undefined,
    onFit: ((time: FitTime) => void) | undefined,
  ): Promise<readonly FitOutcome[]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error(CLOSED));
      if (signal?.aborted) return reject(signal.reason);
      const job: Job = {
        task,
        stop: new Int32Array(new SharedArrayBuffer(4)),
        settle: (outcomes, time) => {
          signal?.removeEventListener('abort', abort);
          if (time !== undefined) onFit?.(time);
          resolve(outcomes);
        },
        refuse: (reason) => {
          signal?.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      const abort = (): void => {
        Atomics.store(job.stop, 0, 1);
        reject(signal?.reason);
        const place = waiting.indexOf(job);
        if (place >= 0) waiting.splice(place, 1);
        const thread = [...threads].find((one) => one.job === job);
        if (thread === undefined) return;
        setTimeout(() => {
          if (thread.job !== job) return;
          thread.state = 'ending';
          void thread.worker.terminate();
        }, LETTING_GO_MS).unref();
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(job);
      next();
    });

  try {
    await Promise.all(Array.from({ length: Math.max(1, count) }, start));
  } catch (error) {
    isClosed = true;
    await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    throw error;
  }
  return {
    models,
    run: async (task, signal, onFit) => {
      const inTurn = MODEL_CATALOGUE.find(({ id }) => id === task.model)?.fitsInTurn ?? false;
      if (inTurn) return runOne(task, signal, onFit);
      const parts = task.windows.map((window) => runOne({ ...task, windows: [window] }, signal, onFit));
      return (await Promise.all(parts)).flat();
    },
    close: async () => {
      isClosed = true;
      const running = [...threads].flatMap(({ job }) => (job === null ? [] : [job]));
      for (const job of [...waiting.splice(0), ...running]) job.refuse(new Error(CLOSED));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
