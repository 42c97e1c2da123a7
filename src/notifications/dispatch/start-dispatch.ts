import { hasOutboxEvents, sleepUnlessAborted, untraced } from '../../platform/index.ts';
import type { NotificationJobContext } from '../context.ts';
import { dispatchEvents } from './dispatch-events.ts';

/** How long an event waits at most before it is dispatched, unless many are waiting. */
const POLL_MS = 1_000;
/** The wait after an error, such as an outage of the database. */
const ERROR_PAUSE_MS = 5_000;

/**
 * Starts dispatching events. Every worker process does, and they take different events. A job that wakes a worker is not
 * added with each event, because most installations have few webhooks and every forecast would pay for it.
 *
 * @returns a function that stops it after the transaction that runs
 */
export function startDispatch(context: NotificationJobContext): () => Promise<void> {
  const stop = new AbortController();
  const running = untraced(() => dispatchUntilStopped(context, stop.signal));
  return async () => {
    stop.abort();
    await running;
  };
}

async function dispatchUntilStopped(context: NotificationJobContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = POLL_MS;
    try {
      if ((await hasOutboxEvents(context.database)) && (await dispatchEvents(context)) > 0) continue;
    } catch (error) {
      if (signal.aborted) return;
      // The database logs once that its disk is full.
      if ((error as Error).name !== 'DiskFullError')
        context.log.error({ err: error }, 'events could not be dispatched');
      pauseMs = ERROR_PAUSE_MS;
    }
    await sleepUnlessAborted(pauseMs, signal).catch(() => {});
  }
}
