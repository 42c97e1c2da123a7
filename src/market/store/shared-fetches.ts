import { HOUR_MS } from '../../calendar/index.ts';
import { type Database, LruCache } from '../../platform/index.ts';

/** The number of series whose finished fetches are counted. */
const MAX_COUNTED = 10_000;

/** The fetches of one process: at most one runs for each series. */
export class SharedFetches {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #finished = new LruCache<string, number>({ maxEntries: MAX_COUNTED });
  readonly #failedRepairs = new LruCache<string, number>({ maxEntries: MAX_COUNTED });

  /** Returns the number of finished fetches of a series. If it has changed, what was loaded before may be outdated. */
  countFinished(series: string): number {
    return this.#finished.get(series) ?? 0;
  }

  /** Returns whether a repair of a series may be tried: a failed one is not repeated within an hour. */
  canRepair(series: string, now: number): boolean {
    const failedAt = this.#failedRepairs.get(series);
    return failedAt === undefined || now - failedAt >= HOUR_MS;
  }

  recordFailedRepair(series: string, now: number): void {
    this.#failedRepairs.set(series, now);
  }

  /** Returns the fetch that is running for a series, if there is one. */
  running(series: string): Promise<unknown> | undefined {
    return this.#running.get(series);
  }

  /** Runs a fetch while no other one of the series runs. */
  async run<Result>(series: string, fetchBars: () => Promise<Result>): Promise<Result> {
    const result = fetchBars();
    this.#running.set(series, result);
    try {
      return await result;
    } finally {
      this.#running.delete(series);
      this.#finished.set(series, this.countFinished(series) + 1);
    }
  }
}

const fetchesOf = new WeakMap<Database, SharedFetches>();

/** Returns the fetches of this process whose results are stored in a database. */
export function sharedFetches(database: Database): SharedFetches {
  const known = fetchesOf.get(database) ?? new SharedFetches();
  fetchesOf.set(database, known);
  return known;
}
