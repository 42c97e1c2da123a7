import type { Log } from '../../platform/index.ts';

/** The time for closing the parts after the time for requests and jobs. */
const CLOSING_SECONDS = 5;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `start`, keeps the opened parts until the process is stopped, then closes them in reverse order. It also closes
 * them if `start` fails. A stop during `start` takes effect when `start` has ended. If the parts do not close in time,
 * or keep the process alive after they were closed, the process is killed.
 */
export async function runUntilStopped(
  { shutdownSeconds }: { readonly shutdownSeconds: number },
  log: Log,
  start: (open: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let hasEnded = false;
  let deadline: NodeJS.Timeout | undefined;
  // Registered before anything is opened, so that no signal is missed.
  onStop((reason) => {
    if (hasEnded) return;
    log.info({ reason }, 'stopping');
    deadline = setTimeout(killProcess, (shutdownSeconds + CLOSING_SECONDS) * 1000, log);
    stop();
  });
  const open = new AsyncDisposableStack();
  try {
    await start(open);
    await stopped;
  } finally {
    await open.disposeAsync();
    hasEnded = true;
    clearTimeout(deadline);
    // The timer fires only if something else keeps the process alive, such as a thread that has not ended.
    setTimeout(killProcess, CLOSING_SECONDS * 1000, log).unref();
  }
  log.info('stopped');
}

/**
 * Calls `stop` once, with the reason, when the process has to stop. The signal of Ctrl-C arrives both from the terminal
 * and from the launcher, and people may press it twice. The process also stops when the launcher ends.
 */
function onStop(stop: (reason: string) => void): void {
  let isStopping = false;
  const stopOnce = (reason: string): void => {
    if (!isStopping) stop(reason);
    isStopping = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stopOnce);
  process.on('disconnect', () => stopOnce('launcher ended'));
  // Undefined means that the process has no launcher; false, that the launcher ended while the modules were loading.
  if (process.connected === false) stopOnce('launcher ended');
}

function killProcess(log: Log): void {
  log.error('not stopped in time; killing the process');
  // `process.exit` would wait for every thread, and a thread that waits for a failed disk may not end.
  process.kill(process.pid, 'SIGKILL');
}
