import type { Log } from '../../platform/index.ts';

/** The time allowed for closing the parts, after the time for requests and jobs is over. */
const CLOSING_SECONDS = 5;

/**
 * Signals within this time count as one: Ctrl-C reaches the process from the terminal, from npm and from the launcher.
 */
const SAME_STOP_MS = 500;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `start`, keeps the opened parts until the process is stopped, then closes them in reverse order. It also closes
 * them if `start` fails. A signal that arrives during `start` takes effect when `start` has ended. A second signal
 * aborts `hurry`: the parts must then close without waiting for requests and jobs. If the parts do not close in time,
 * or keep the process alive after they were closed, the process is killed.
 */
export async function runUntilStopped(
  { shutdownSeconds }: { readonly shutdownSeconds: number },
  log: Log,
  start: (open: AsyncDisposableStack, hurry: AbortSignal) => Promise<void>,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const hurry = new AbortController();
  let hasEnded = false;
  let hint: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  // Registered before anything is opened, so that no signal is missed.
  onStop({
    first: (reason) => {
      if (hasEnded) return;
      log.info({ reason }, 'stopping');
      hint = setTimeout(() => log.info('stop again (Ctrl-C) to return running jobs to their queues'), SAME_STOP_MS);
      deadline = setTimeout(killProcess, (shutdownSeconds + CLOSING_SECONDS) * 1000, log);
      stop();
    },
    second: (reason) => {
      if (hasEnded) return;
      log.info({ reason }, 'stopping without waiting');
      clearTimeout(deadline);
      deadline = setTimeout(killProcess, CLOSING_SECONDS * 1000, log);
      hurry.abort();
    },
  });
  const open = new AsyncDisposableStack();
  try {
    await start(open, hurry.signal);
    await stopped;
  } finally {
    await open.disposeAsync();
    hasEnded = true;
    clearTimeout(hint);
    clearTimeout(deadline);
    // The timer fires only if something else keeps the process alive, such as a thread that has not ended.
    setTimeout(killProcess, CLOSING_SECONDS * 1000, log).unref();
  }
  log.info('stopped');
}

/**
 * Calls `first` with the reason when the process has to stop, and `second` when another signal follows later. The
 * process also stops when the launcher ends.
 */
function onStop({ first, second }: Record<'first' | 'second', (reason: string) => void>): void {
  let firstAt: number | undefined;
  let isRepeated = false;
  const onReason = (reason: string): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first(reason);
    } else if (!isRepeated && performance.now() - firstAt > SAME_STOP_MS) {
      isRepeated = true;
      second(reason);
    }
  };
  const onLauncherEnd = (): void => {
    if (firstAt === undefined) onReason('launcher ended');
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onReason);
  process.on('disconnect', onLauncherEnd);
  // Undefined means that the process has no launcher; false, that the launcher ended while the modules were loading.
  if (process.connected === false) onLauncherEnd();
}

function killProcess(log: Log): void {
  log.error('not stopped in time; killing the process');
  // `process.exit` would wait for every thread, and a thread that waits for a failed disk may not end.
  process.kill(process.pid, 'SIGKILL');
}
