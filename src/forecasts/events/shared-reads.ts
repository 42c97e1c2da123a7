import { type Database, untraced } from '../../platform/index.ts';
import { type EventBatch, type ReadPosition, readEventsAfter } from './read-events.ts';

/** The number of positions that one statement reads. Positions that are read at once can each return many events. */
const MAX_POSITIONS = 5_000;
const MAX_DUE_POSITIONS = 100;

/** How much longer than the last reads the pause before the next ones is at least, so that reads cannot occupy a database. */
const MIN_PAUSE_FACTOR = 10;

/** The readers that have the same events of the same forecast. */
interface Group {
  position: ReadPosition;
  isDue: boolean;
  readonly batch: Promise<EventBatch | null>;
  readonly resolve: (batch: EventBatch | null) => void;
  readonly reject: (error: unknown) => void;
  readers: number;
}

/**
 * Reads events for all readers of a process: one statement in each interval, whatever their number, and one for those
 * that begin. Readers that wait cost no statement of their own, and no work until something happens.
 */
class SharedReads {
  readonly #database: Database;
  readonly #pollMs: number;
  readonly #groups = new Map<string, Group>();
  #timer: NodeJS.Timeout | undefined;
  #isStarting = false;
  #isReading = false;
  #pauseMs = 0;

  constructor(database: Database, pollMs: number) {
    this.#database = database;
    this.#pollMs = pollMs;
  }

  /**
   * Resolves to the events after the one numbered `after` when there are some, or to null if the forecast was removed.
   * Resolves to undefined if the signal aborts first.
   *
   * @param isDue whether to read now instead of in the next interval
   */
  next(forecastId: string, after: number, isDue: boolean, signal: AbortSignal): Promise<EventBatch | null | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const key = `${forecastId} ${after}`;
    const group = this.#groups.get(key) ?? this.#addGroup(key, { forecastId, after, isLatest: false });
    group.readers++;
    if (isDue && !group.position.isLatest) this.#readSoon(group);
    this.#schedule();
    return new Promise((resolve, reject) => {
      const leave = () => {
        group.readers--;
        if (group.readers === 0) this.#remove(key, group);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      group.batch.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #addGroup(key: string, position: ReadPosition): Group {
    const { promise: batch, resolve, reject } = Promise.withResolvers<EventBatch | null>();
    const group: Group = { position, isDue: false, batch, resolve, reject, readers: 0 };
    this.#groups.set(key, group);
    return group;
  }

  #remove(key: string, group: Group): void {
    // A newer group may use the key by now.
    if (this.#groups.get(key) === group) this.#groups.delete(key);
    if (this.#groups.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Reads for the readers that begin in the same turn of the event loop. */
  #readSoon(group: Group): void {
    group.isDue = true;
    if (this.#isStarting) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      const due = [...this.#groups].filter(([, { isDue }]) => isDue);
      for (const [, started] of due) started.isDue = false;
      for (let first = 0; first < due.length; first += MAX_DUE_POSITIONS) {
        void this.#read(due.slice(first, first + MAX_DUE_POSITIONS));
      }
    });
  }

  #schedule(): void {
    if (this.#isReading) return;
    this.#timer ??= setTimeout(() => this.#readAll(), Math.max(this.#pollMs, this.#pauseMs));
  }

  async #readAll(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    const startedAt = performance.now();
    const all = [...this.#groups];
    for (let first = 0; first < all.length; first += MAX_POSITIONS) {
      await this.#read(all.slice(first, first + MAX_POSITIONS));
    }
    this.#pauseMs = MIN_PAUSE_FACTOR * (performance.now() - startedAt);
    this.#isReading = false;
    if (this.#groups.size > 0) this.#schedule();
  }

  async #read(groups: readonly (readonly [key: string, group: Group])[]): Promise<void> {
    try {
      const positions = groups.map(([, { position }]) => position);
      const batches = await untraced(() => readEventsAfter(this.#database, positions));
      for (const [index, [key, group]] of groups.entries()) {
        const batch = batches[index];
        if (batch === undefined) {
          group.position = { ...group.position, isLatest: true };
          continue;
        }
        this.#remove(key, group);
        group.resolve(batch);
      }
    } catch (error) {
      for (const [key, group] of groups) {
        this.#remove(key, group);
        group.reject(error);
      }
    }
  }
}

const readsByDatabase = new WeakMap<Database, Map<number, SharedReads>>();

export function sharedReadsFor(database: Database, pollMs: number): SharedReads {
  const ofDatabase = readsByDatabase.get(database) ?? new Map<number, SharedReads>();
  readsByDatabase.set(database, ofDatabase);
  const reads = ofDatabase.get(pollMs) ?? new SharedReads(database, pollMs);
  ofDatabase.set(pollMs, reads);
  return reads;
}
