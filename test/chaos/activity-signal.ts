import { setTimeout as sleep } from 'node:timers/promises';

/** Lets code wait for the next activity, such as a request. */
export class ActivitySignal {
  #pending = Promise.withResolvers<void>();

  emit(): void {
    this.#pending.resolve();
    this.#pending = Promise.withResolvers<void>();
  }

  /** Resolves at the next activity, or after `maxMs`. */
  async next(maxMs: number): Promise<void> {
    await Promise.race([this.#pending.promise, sleep(maxMs)]);
  }
}
