// Measures the delay of the service's event loop and writes it to a file. Loaded into the service before it starts,
// because the delay can be measured only from inside.

import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_EVENT_LOOP_FILE;
if (file && isMainThread) {
  const RESOLUTION_MS = 5;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The monitor reports the whole time between two ticks, so its resolution is subtracted.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  setInterval(() => {
    const p50 = late(histogram.percentile(50));
    const p99 = late(histogram.percentile(99));
    writeFileSync(`${file}.new`, JSON.stringify({ p50, p99, max: late(histogram.max) }));
    renameSync(`${file}.new`, file);
    // The bench creates this file to reset the measurement.
    try {
      renameSync(`${file}.reset`, `${file}.done`);
      histogram.reset();
    } catch {
      // The file does not exist.
    }
  }, 100).unref();
}
