import type { Log } from '../../platform/index.ts';
import { onStopOrder } from './stop-order.ts';

/** What is left for cutting off and closing after requests and jobs have had their time. */
const CLOSING_SECONDS = 5;

/**
 * Runs `start`, keeps what it opened until this process is told to stop, then closes it in reverse order, as it does
 * when the start fails. An order that comes during the start is carried out after it. What does not close in time, or
 * still holds the process up after it was closed, is given up, and the process is killed.
 */
export async function runUntilStopped(
  { shutdownSeconds }: { readonly shutdownSeconds: number },
  log: Log,
  start: (open: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  const { promise: ordered, resolve: order } = Promise.withResolvers<void>();
  let ended = false;
  let deadline: NodeJS.Timeout | undefined;
  // Before anything is opened, so that no order is missed.
  onStopOrder((reason) => {
    if (ended) return;
    log.info({ reason }, 'stopping');
    deadline = setTimeout(giveUp, (shutdownSeconds + CLOSING_SECONDS) * 1000, log);
    order();
  });
  const open = new AsyncDisposableStack();
  try {
    await start(open);
    await ordered;
  } finally {
    await open.disposeAsync();
    ended = true;
    clearTimeout(deadline);
    // Fires only if something is left that would keep the process alive, such as a thread that was given up.
    setTimeout(giveUp, CLOSING_SECONDS * 1000, log).unref();
  }
  log.info('stopped');
}

function giveUp(log: Log): void {
  log.error('not stopped in time; giving up what is still running');
  // An exit would wait for every thread; one that waits for a disk which does not answer would hold it up for ever.
  process.kill(process.pid, 'SIGKILL');
}
