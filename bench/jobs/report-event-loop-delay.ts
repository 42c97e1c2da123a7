// Loaded into the service before it starts. Only inside can its event loop be watched; a file carries it out.

import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_EVENT_LOOP_FILE;
if (file && isMainThread) {
  const RESOLUTION_MS = 5;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // It counts the whole time between two of its ticks, of which the resolution was wanted.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  setInterval(() => {
    const p50 = late(histogram.percentile(50));
    const p99 = late(histogram.percentile(99));
    writeFileSync(`${file}.new`, JSON.stringify({ p50, p99, max: late(histogram.max) }));
    renameSync(`${file}.new`, file);
    // The one who measures asks for a new beginning by a file of this name.
    try {
      renameSync(`${file}.reset`, `${file}.done`);
      histogram.reset();
    } catch {
      // Nobody has.
    }
  }, 100).unref();
}
