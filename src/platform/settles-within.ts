/** Waits for `work` for at most `ms`, or until `cut` is aborted. Returns whether it settled in time. */
export async function settlesWithin(work: Promise<unknown>, ms: number, cut?: AbortSignal): Promise<boolean> {
  const { promise: deadline, resolve } = Promise.withResolvers<false>();
  const end = (): void => resolve(false);
  const timer = setTimeout(end, cut?.aborted ? 0 : ms);
  cut?.addEventListener('abort', end);
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, deadline]);
  } finally {
    clearTimeout(timer);
    cut?.removeEventListener('abort', end);
  }
}
