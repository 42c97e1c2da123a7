import { monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';

/** Measures how long the event loop of this process lets requests wait. */
export interface LoopDelay {
  /** Returns how long a request that came at any time in the last seconds had to wait on average, in milliseconds. */
  read(): number;
  close(): void;
}

const WINDOW_MS = 5_000;
const RESOLUTION_MS = 20;

/** Starts measuring. A block of the loop counts for five to ten seconds. */
export function measureLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let previous = 0;
  const timer = setInterval(() => {
    previous = meanWait(histogram);
    histogram.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    read: () => Math.max(previous, meanWait(histogram)),
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** If the loop stops for d, requests that come meanwhile wait for d / 2 on average, and a share of d / window comes then. */
function meanWait({ count, mean, stddev }: Pick<RecordableHistogram, 'count' | 'mean' | 'stddev'>): number {
  if (count === 0) return 0;
  const meanMs = Math.max(0, mean / 1e6 - RESOLUTION_MS);
  return (count * (meanMs ** 2 + (stddev / 1e6) ** 2)) / (2 * WINDOW_MS);
}
