import type { JobAttempt } from './queue.ts';

export interface HeldJob extends JobAttempt {
  readonly name: string;
}

/** The jobs this process is working on, so that it can interrupt them and give them back. */
export class ActiveJobs {
  readonly #held = new Map<HeldJob, AbortController>();

  /** Runs `handle` with a signal that `interruptAll` aborts. */
  async hold(job: HeldJob, handle: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#held.set(job, controller);
    try {
      await handle(controller.signal);
    } finally {
      this.#held.delete(job);
    }
  }

  all(): HeldJob[] {
    return [...this.#held.keys()];
  }

  /** Tells every handler to stop. */
  interruptAll(): void {
    const reason = new DOMException('The service is stopping.', 'AbortError');
    for (const controller of this.#held.values()) controller.abort(reason);
  }
}
