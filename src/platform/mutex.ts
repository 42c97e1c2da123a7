/** A lock with one holder at a time. Callers get it in the order in which they call `acquire`. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when every earlier holder has released the mutex. The caller must call the returned function when done. */
  async acquire(): Promise<() => void> {
    const previous = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await previous;
    return resolve;
  }

  /** Runs `work` while holding the mutex. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
