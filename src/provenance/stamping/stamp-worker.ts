import {
  type Clock,
  type Database,
  type Log,
  type Queue,
  type QueueDefinition,
  sleepUnlessAborted,
} from '../../platform/index.ts';
import type { Stamper } from './stamper.ts';

/**
 * Only one run takes place at a time, however many workers there are, and at most one waits. If a run is lost, the next
 * one continues from what the database contains.
 */
export const STAMP_QUEUE: QueueDefinition = { name: 'stamping', retryLimit: 0, policy: 'stately' };

export interface StampWorkerParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly log: Log;
  /** Null if proofs are not stamped. */
  readonly stamper: Stamper | null;
}

const CHECK_TIMEOUT_MS = 10_000;

/**
 * Starts stamping proofs every minute. Throws a `ConfigError` if the chain or the service is not the one that the settings
 * name. One that cannot be reached is tried again in every run.
 */
export async function startStampWorker(parts: StampWorkerParts): Promise<void> {
  const { queue, log, stamper } = parts;
  if (stamper === null) {
    // Otherwise the jobs of an installation that has stopped stamping would pile up.
    await queue.unschedule(STAMP_QUEUE.name);
    return;
  }
  if (!(await stamper.check(AbortSignal.timeout(CHECK_TIMEOUT_MS)))) {
    log.warn('proofs cannot be stamped now: the chain or the service cannot be reached');
  }
  const stamp = createStampRun({ ...parts, stamper });
  await queue.work(STAMP_QUEUE.name, {}, ({ signal }) => stamp(signal));
  await queue.schedule(STAMP_QUEUE.name, '* * * * *');
  // A process that was restarted continues immediately.
  await queue.enqueue(parts.database, STAMP_QUEUE.name, {});
}

/** A run ends before the next one is due. */
const MAX_RUN_MS = 50_000;
/** Shorter than the time between the blocks of most chains. */
const PAUSE_MS = 4_000;

export interface StampRunParts extends Pick<StampWorkerParts, 'clock' | 'log'> {
  readonly stamper: Stamper;
  readonly pauseMs?: number;
}

/**
 * Creates the function of one run: rounds until nothing more can be done soon. New proofs are taken once in a run, so that
 * the proofs of a minute share a transaction.
 */
export function createStampRun(parts: StampRunParts): (signal: AbortSignal) => Promise<void> {
  const { clock, log, stamper, pauseMs = PAUSE_MS } = parts;
  return async (signal) => {
    const end = clock.now().getTime() + MAX_RUN_MS;
    let sent = 0;
    let stamped = 0;
    for (;;) {
      const round = await stamper.runRound({ takesNew: sent === 0, signal });
      sent += round.sent;
      stamped += round.stamped;
      if (!round.isUnfinished || clock.now().getTime() + pauseMs > end) break;
      await sleepUnlessAborted(pauseMs, signal).catch(() => {});
      if (signal.aborted) break;
    }
    if (sent > 0 || stamped > 0)
      log.info({ sent, stamped }, 'proofs were sent to be stamped, or their stamps were confirmed');
  };
}
