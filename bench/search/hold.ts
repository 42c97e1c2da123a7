/** The longest time for which work held the event loop. */
export interface Hold {
  readonly wallMs: number;
  /** CPU time of this thread, which does not count time that other processes took. */
  readonly cpuMs: number;
  /** The duration of the whole work. */
  readonly totalMs: number;
}

/** Runs the work and measures every turn of the event loop meanwhile. */
export async function measureHold(work: () => Promise<unknown>): Promise<Hold> {
  let [wallMs, cpuMs] = [0, 0];
  let isDone = false;
  const start = performance.now();
  let [wall, cpu] = [start, process.threadCpuUsage()];
  const measure = () => {
    const { user, system } = process.threadCpuUsage(cpu);
    wallMs = Math.max(wallMs, performance.now() - wall);
    cpuMs = Math.max(cpuMs, (user + system) / 1000);
    [wall, cpu] = [performance.now(), process.threadCpuUsage()];
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  await work();
  measure();
  isDone = true;
  return { wallMs, cpuMs, totalMs: performance.now() - start };
}
