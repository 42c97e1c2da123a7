/**
 * Rejects when the time is over, whatever the work still waits for: a disk that does not answer cannot be stopped, only
 * left behind. The signal lets the work end where it can.
 */
export async function withinTime<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`it took longer than ${limitMs / 1000} seconds`);
    stop.abort(error);
    reject(error);
  }, limitMs);
  try {
    return await Promise.race([work(stop.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
