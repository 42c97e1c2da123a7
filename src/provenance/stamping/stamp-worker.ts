import { type Clock, type Log, type Queue, type QueueDefinition, sleepUnlessAborted } from '../../platform/index.ts';
import type { Stamper } from './stamper.ts';

/**
 * Only one run takes place at a time, however many workers there are. If a run is lost, the next one continues from what
 * the database contains.
 */
export const STAMP_QUEUE: QueueDefinition = { name: 'stamping', retryLimit: 0, policy: 'singleton' };

export interface StampWorkerParts {
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
}

/** A run ends before the next one is due. */
const MAX_RUN_MS = 50_000;
/** Shorter than the time between the blocks of most chains. */
const PAUSE_MS = 4_000;

/**
 * Creates the function of one run: rounds until nothing more can be done soon. New proofs are taken at its start, so that
 * the proofs of a minute share a transaction.
 */
export function createStampRun({
  clock,
  log,
  stamper,
}: Pick<StampWorkerParts, 'clock' | 'log'> & { readonly stamper: Stamper }): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const end = clock.now().getTime() + MAX_RUN_MS;
    let sent = 0;
    let stamped = 0;
    for (let takesNew = true; ; takesNew = false) {
      const round = await stamper.runRound({ takesNew, signal });
      sent += round.sent;
      stamped += round.stamped;
      if (!round.isUnfinished || clock.now().getTime() + PAUSE_MS > end) break;
      await sleepUnlessAborted(PAUSE_MS, signal).catch(() => {});
      if (signal.aborted) break;
    }
    if (sent > 0 || stamped > 0) log.info({ sent, stamped }, 'proofs were stamped');
  };
}
