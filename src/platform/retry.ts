import { setTimeout as delay } from 'node:timers/promises';

export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

export interface RetryOptions {
  /**
   * Decides after a failure: returns the milliseconds to wait before the next attempt, or throws the error that ends the
   * retries. `attempts` counts the attempts made so far.
   */
  readonly delayAfter: (error: unknown, attempts: number) => number;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: Sleep | undefined;
}

/**
 * Repeats `attempt` until it succeeds or `delayAfter` throws. When the signal aborts during a delay, its reason is thrown.
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

/** Waits; throws the reason of the signal when it aborts. */
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
