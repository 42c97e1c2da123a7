import { type Database, untraced } from '../../platform/index.ts';
import { type EventBatch, type ForecastEvent, isLastKind, readEventsAfter } from './read-events.ts';

const POLL_INTERVAL_MS = 250;

/**
 * Yields the events of a forecast after the one numbered `after`, as they happen in any process. Ends after the last
 * event, when the signal aborts, or when the forecast was removed.
 *
 * An `after` beyond the latest event counts as the latest event.
 */
export async function* watchEvents(
  { database }: { readonly database: Database },
  forecastId: string,
  after: number,
  signal: AbortSignal,
  { pollMs = POLL_INTERVAL_MS }: { readonly pollMs?: number } = {},
): AsyncGenerator<ForecastEvent, void, undefined> {
  const polls = sharedPollsFor(database);
  let lastRead = after;
  let delayMs = 0;
  for (;;) {
    const batch = await polls.next(forecastId, lastRead, delayMs, signal);
    if (!batch || batch.isEnded) return;
    lastRead = batch.lastRead;
    for (const event of batch.events) {
      yield event;
      if (signal.aborted || isLastKind(event.kind)) return;
      lastRead = event.id;
    }
    delayMs = batch.hasMore ? 0 : pollMs;
  }
}

interface Poll {
  readonly batch: Promise<EventBatch | null>;
  readonly timer: NodeJS.Timeout;
  waiters: number;
}

/**
 * The pending polls of one database. Readers that have received the same events of the same forecast share one poll; a
 * poll without readers is dropped.
 */
class SharedPolls {
  readonly #database: Database;
  readonly #polls = new Map<string, Poll>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads events after `delayMs`, or sooner if another reader's poll is already pending. Returns undefined if the
   * signal aborts first.
   */
  next(
    forecastId: string,
    after: number,
    delayMs: number,
    signal: AbortSignal,
  ): Promise<EventBatch | null | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const key = `${forecastId} ${after} ${delayMs}`;
    const poll = this.#polls.get(key) ?? this.#start(key, forecastId, after, delayMs);
    poll.waiters++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        poll.waiters--;
        if (poll.waiters === 0) this.#remove(key, poll);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      poll.batch.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #start(key: string, forecastId: string, after: number, delayMs: number): Poll {
    const { promise, resolve, reject } = Promise.withResolvers<EventBatch | null>();
    const timer = setTimeout(() => {
      untraced(() => readEventsAfter(this.#database, forecastId, after))
        .finally(() => this.#remove(key, poll))
        .then(resolve, reject);
    }, delayMs);
    const poll: Poll = { batch: promise, timer, waiters: 0 };
    this.#polls.set(key, poll);
    return poll;
  }

  #remove(key: string, poll: Poll): void {
    clearTimeout(poll.timer);
    // A newer poll may use the key by now.
    if (this.#polls.get(key) === poll) this.#polls.delete(key);
  }
}

const pollsByDatabase = new WeakMap<Database, SharedPolls>();

function sharedPollsFor(database: Database): SharedPolls {
  const polls = pollsByDatabase.get(database) ?? new SharedPolls(database);
  pollsByDatabase.set(database, polls);
  return polls;
}
