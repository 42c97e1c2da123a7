import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** The main thread counts in this interval. The watchdog's thread compares the count once a second. */
const COUNT_MS = 500;

/** Ends the process if its main thread is stuck. */
export interface Watchdog {
  start(): void;
  stop(): void;
}

/**
 * Creates a watchdog: a thread that ends the process if the main thread has handled no timer for `stuckSeconds`. A main
 * thread that is stuck, for example in WebAssembly, responds to no request and to no signal except SIGKILL; once the
 * process has ended, a supervisor can restart it.
 *
 * Start it when the service is ready, because migrations at startup can take long. It is not started under a debugger,
 * which stops the main thread on purpose.
 */
export function createWatchdog(stuckSeconds: number): Watchdog {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (stuckSeconds === 0 || inspectorUrl() !== undefined) return;
      const count = new Int32Array(new SharedArrayBuffer(4));
      timer = setInterval(() => Atomics.add(count, 0, 1), COUNT_MS);
      timer.unref();
      worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
        workerData: { count, stuckSeconds },
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
      });
      worker.unref();
    },
    stop() {
      clearInterval(timer);
      void worker?.terminate();
    },
  };
}
