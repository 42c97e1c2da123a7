import type { Log } from '../../platform/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves with the reason when this process is told to stop. Ask for it before anything is opened: an order that comes
 * during the start is then carried out after it. Ctrl-C reaches us from the terminal and from the launcher, and people
 * press it twice: a second order changes nothing. The launcher's death counts as an order, too.
 */
export function stopOrder(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('launcher ended'));
  });
}

/** Runs `stop`; what does not end by itself in time is given up, and the exit code says so. */
export async function stopWithin(seconds: number, log: Log, reason: string, stop: () => Promise<void>): Promise<void> {
  log.info({ reason }, 'stopping');
  const deadline = setTimeout(() => {
    log.error(`not stopped after ${seconds} s; giving up what is still running`);
    process.exit(1);
  }, seconds * 1000);
  await stop();
  clearTimeout(deadline);
  log.info('stopped');
  // The channel to the launcher would keep the process alive.
  if (process.connected) process.disconnect();
}
