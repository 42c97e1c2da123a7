const running = new Map<string, Promise<unknown>>();

/** Runs work after all earlier work of the same key in this process, whether that succeeded or failed. */
export async function runInTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key) ?? Promise.resolve();
  const current = before.then(work);
  // The work that follows must not fail because this one did.
  const ended = current.then(
    () => {},
    () => {},
  );
  running.set(key, ended);
  try {
    return await current;
  } finally {
    if (running.get(key) === ended) running.delete(key);
  }
}
