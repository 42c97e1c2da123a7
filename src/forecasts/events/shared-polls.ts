import { type Database, untraced } from '../../platform/index.ts';
import { type News, readNews } from './read-news.ts';

interface Poll {
  readonly news: Promise<News | null>;
  readonly timer: NodeJS.Timeout;
  waiting: number;
}

/**
 * The polls that are under way on one database. Those who watch the same forecast from the same event wait for one
 * poll together; one that nobody waits for any more is not made.
 */
class SharedPolls {
  readonly #database: Database;
  readonly #polls = new Map<string, Poll>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** What is new in `delayMs`, or sooner where somebody began to wait before. Undefined when the signal aborts first. */
  next(forecastId: string, after: number, delayMs: number, signal: AbortSignal): Promise<News | null | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const key = `${forecastId} ${after} ${delayMs}`;
    const poll = this.#polls.get(key) ?? this.#begin(key, forecastId, after, delayMs);
    poll.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        poll.waiting--;
        if (poll.waiting === 0) this.#forget(key, poll);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      poll.news.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #begin(key: string, forecastId: string, after: number, delayMs: number): Poll {
    const { promise, resolve, reject } = Promise.withResolvers<News | null>();
    const timer = setTimeout(() => {
      untraced(() => readNews(this.#database, forecastId, after))
        .finally(() => this.#forget(key, poll))
        .then(resolve, reject);
    }, delayMs);
    const poll: Poll = { news: promise, timer, waiting: 0 };
    this.#polls.set(key, poll);
    return poll;
  }

  #forget(key: string, poll: Poll): void {
    clearTimeout(poll.timer);
    // Another may have been begun under the key since.
    if (this.#polls.get(key) === poll) this.#polls.delete(key);
  }
}

const byDatabase = new WeakMap<Database, SharedPolls>();

export function sharedPollsOn(database: Database): SharedPolls {
  const polls = byDatabase.get(database) ?? new SharedPolls(database);
  byDatabase.set(database, polls);
  return polls;
}
