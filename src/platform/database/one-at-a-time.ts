/** A queue for something that only one may use at once. First come, first served. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /** Waits for a turn. The caller must call the returned function when done. */
  async enter(): Promise<() => void> {
    const turn = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await turn;
    return resolve;
  }

  /** Runs `work` when its turn comes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
