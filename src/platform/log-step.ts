import type { Log } from './log.ts';

const SLOW_MS = 1_000;

/**
 * Runs one step of starting the service. A step that takes longer than a second is logged while it runs, unless it
 * blocks the thread, and again with its duration when it ends. The duration of a faster step is logged at the level
 * debug.
 *
 * @param name a participle, such as "opening the database"
 */
export async function logStep<Result>(log: Log, name: string, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const slow = setTimeout(() => log.info(`${name} …`), SLOW_MS);
  try {
    return await run();
  } finally {
    clearTimeout(slow);
    logDuration(log, name, performance.now() - began);
  }
}

/** Logs the duration of a step that has ended. */
export function logDuration(log: Log, name: string, duration: number): void {
  const ms = Math.round(duration);
  log[ms > SLOW_MS ? 'info' : 'debug']({ ms }, `${name} took ${(ms / 1000).toFixed(1)} s`);
}
