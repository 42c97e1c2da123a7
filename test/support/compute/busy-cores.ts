import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Counts without a pause until the thread is terminated. */
const SPIN = 'for (let n = 0; ; n++) if (n < 0) break;';

/** Keeps every core busy with `perCore` threads that never pause, until disposal. */
export async function keepCoresBusy(perCore = 4): Promise<AsyncDisposable> {
  const workers = Array.from({ length: availableParallelism() * perCore }, () => new Worker(SPIN, { eval: true }));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
