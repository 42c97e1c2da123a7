import { setTimeout as delay } from 'node:timers/promises';

export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

export interface RetryOptions {
  /**
   * Called after a failure. Returns the milliseconds to wait before the next attempt, or throws the error that ends the
   * retries. `attempts` is the number of attempts so far.
   */
  readonly delayAfter: (error: unknown, attempts: number) => number;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: Sleep | undefined;
}

/**
 * Repeats `attempt` until it succeeds or `delayAfter` throws. If the signal aborts during a delay, its reason is thrown.
 *
 * @example
 * const delayAfter = (error: unknown, attempts: number) => {
 *   if (attempts === 3) throw error;
 *   return 100 * 2 ** attempts;
 * };
 * await retry(() => download(url), { delayAfter });
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  { delayAfter, signal, sleep }: RetryOptions,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      await sleepUnlessAborted(delayAfter(error, attempts), signal, sleep);
    }
  }
}

/** Waits for the given time. If the signal aborts, it throws the reason of the signal. */
export async function sleepUnlessAborted(
  ms: number,
  signal: AbortSignal | undefined,
  sleep: Sleep = sleepFor,
): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, signal && { signal });
}
