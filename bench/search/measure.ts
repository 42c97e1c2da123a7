import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** CPU milliseconds, user and system, of the whole process; work that takes less than the clock resolves shows as 0. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function summarise(times: readonly number[]): { median: number; p95: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What is alive now, typed arrays included. */
export function liveMegabytes(): number {
  // Once more for what the first round let go of.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
