/**
 * Returns a function that runs `work` at its first call and returns the same result from every later call. Concurrent
 * calls share one execution. If it fails, all of them reject, and the next call runs `work` again.
 *
 * @example const rows = once(() => readPackageCsv(file, ['date', 'price']));
 */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null;
  return () => {
    if (result !== null) return result;
    const attempt = work();
    result = attempt;
    attempt.catch(() => {
      if (result === attempt) result = null;
    });
    return attempt;
  };
}
