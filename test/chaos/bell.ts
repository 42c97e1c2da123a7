import { setTimeout as sleep } from 'node:timers/promises';

/** Tells those who wait that something happens just now. */
export class Bell {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
    this.#rung = Promise.withResolvers<void>();
  }

  /** Resolves when it rings next, or after a while. */
  async next(longestMs: number): Promise<void> {
    await Promise.race([this.#rung.promise, sleep(longestMs)]);
  }
}
