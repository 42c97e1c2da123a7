import { DiskFullError, findStorageProblem } from './errors.ts';

/** How long a problem counts after the last statement that failed because of it. */
const LASTS_MS = 15_000;

/**
 * Remembers that statements failed because the database could store nothing, for readiness checks. The problem is
 * forgotten after some seconds: a process that gets no requests would otherwise never find out that space has returned.
 */
export class StorageProblems {
  readonly #now: () => number;
  #problem: string | null = null;
  #until = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  record(error: unknown): void {
    const problem = findStorageProblem(error);
    // The embedded database itself reports how long it refuses writes.
    if (problem === null || error instanceof DiskFullError) return;
    this.#problem = problem;
    this.#until = this.#now() + LASTS_MS;
  }

  current(): string | null {
    return this.#now() < this.#until ? this.#problem : null;
  }
}
