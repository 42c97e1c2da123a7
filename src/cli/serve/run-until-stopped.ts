import type { Log } from '../../platform/index.ts';

/** What remains for closing after requests and jobs have had their time. */
const CLOSING_SECONDS = 5;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `start`, keeps its parts open until the process is stopped, then closes them in reverse order, as it does when
 * `start` fails. A stop during `start` takes effect after it. Parts that do not close in time, or that keep the
 * process alive after they were closed, are abandoned, and the process is killed.
 */
export async function runUntilStopped(
  { shutdownSeconds }: { readonly shutdownSeconds: number },
  log: Log,
  start: (open: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let hasEnded = false;
  let deadline: NodeJS.Timeout | undefined;
  // Before anything is opened, so that no signal is missed.
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
    // Fires only if something keeps the process alive, such as an abandoned thread.
    setTimeout(killProcess, CLOSING_SECONDS * 1000, log).unref();
  }
  log.info('stopped');
}

/**
 * Calls `stop` once with the reason when the process is to stop: Ctrl-C arrives from the terminal and from the
 * launcher, and people press it twice. The end of the launcher counts as well.
 */
function onStop(stop: (reason: string) => void): void {
  let isStopping = false;
  const stopOnce = (reason: string): void => {
    if (!isStopping) stop(reason);
    isStopping = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stopOnce);
  process.on('disconnect', () => stopOnce('launcher ended'));
  // Undefined: the process has no launcher. False: the launcher ended while the modules were loading.
  if (process.connected === false) stopOnce('launcher ended');
}

function killProcess(log: Log): void {
  log.error('not stopped in time; killing the process');
  // An exit would wait for every thread, and a thread that waits for a dead disk never ends.
  process.kill(process.pid, 'SIGKILL');
}
