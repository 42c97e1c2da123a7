import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the CPU milliseconds (user and system) that the process spends on the work; 0 if they are below the
 * resolution of the clock.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function summarize(times: readonly number[]): { median: number; p95: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the size of live objects, including typed arrays. */
export function liveMegabytes(): number {
  // A second time, for objects that the first collection released.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
