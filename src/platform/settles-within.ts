/** Waits for `work` for at most `ms` and returns whether it settled in time. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: deadline, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
