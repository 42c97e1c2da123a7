/**
 * A function that does its work at the first call and answers every later one from it. Calls made meanwhile share the
 * work. A failure goes to those who waited and is then forgotten, so that the next call tries again.
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
