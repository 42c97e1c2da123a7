const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `obey` with the reason when this process is told to stop, once: Ctrl-C reaches us from the terminal and from the
 * launcher, and people press it twice. The launcher's death counts as an order, too.
 */
export function onStopOrder(obey: (reason: string) => void): void {
  let obeyed = false;
  const order = (reason: string): void => {
    if (!obeyed) obey(reason);
    obeyed = true;
  };
  for (const signal of SIGNALS) process.on(signal, order);
  process.on('disconnect', () => order('launcher ended'));
  // Undefined: there never was a launcher. False: it ended while our modules were loading.
  if (process.connected === false) order('launcher ended');
}
