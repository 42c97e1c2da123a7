import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** A thread that has ended has no number any more. */
const NO_THREAD = -1;

/**
 * Tells a thread to end itself, and waits until it has, but not longer than `patienceMs`: what it waits for may never
 * come. One that is given up ends when it can; ending it from outside could take the process with it.
 *
 * @returns whether it has ended
 */
export async function endThread(worker: Worker, patienceMs: number): Promise<boolean> {
  if (worker.threadId === NO_THREAD) return true;
  const decided = new AbortController();
  const { signal } = decided;
  // One that breaks ends, too.
  const end = once(worker, 'exit', { signal }).catch(() => undefined);
  worker.postMessage('end');
  const hasEnded = await Promise.race([end.then(() => true), sleep(patienceMs, false, { signal }).catch(() => false)]);
  decided.abort();
  return hasEnded;
}
