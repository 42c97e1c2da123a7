/** Measures the CPU seconds of runs. Runs at the same time share what the threads used meanwhile. */
export interface CpuMeter {
  /** Begins a run. @returns a function that ends it and returns its CPU seconds */
  begin(): () => number;
}

/** @param readSeconds returns the CPU seconds that all threads that run forecasts have used so far */
export function createCpuMeter(readSeconds: () => number = readOtherThreads): CpuMeter {
  const runs = new Set<{ seconds: number }>();
  let last = 0;
  const share = (): void => {
    const now = readSeconds();
    for (const run of runs) run.seconds += (now - last) / runs.size;
    last = now;
  };
  return {
    begin() {
      share();
      const run = { seconds: 0 };
      runs.add(run);
      return () => {
        if (!runs.has(run)) return run.seconds;
        share();
        runs.delete(run);
        return run.seconds;
      };
    },
  };
}

/**
 * Returns the CPU seconds of all threads but this one. An ended thread is included, so a canceled forecast cannot hide
 * what it used. This thread also serves requests of other callers.
 */
function readOtherThreads(): number {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - own.user - own.system) / 1_000_000;
}
