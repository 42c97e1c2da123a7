import { type Log, settlesWithin } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { SeriesIndex } from './series-index.ts';

/** Series that the providers' own searches found and that no listing has. All processes share them. */
export interface FoundSeries {
  /** Returns all found series, at most a few thousand. */
  list(): Promise<readonly ListedSeries[]>;
  /** Returns a text of at most 100 characters that changes when `list` returns other series, at little cost. */
  version(): Promise<string>;
  /** Passes the query to the providers' own searches and stores the series that they find. */
  find(query: string, signal?: AbortSignal): Promise<FindReply>;
}

interface FindReply {
  /** Whether there are found series that were not there before. */
  readonly isChanged: boolean;
  /** The ids of the providers that did not reply in time. */
  readonly unavailable: readonly string[];
}

/** The found series, as one process indexes them. */
export interface IndexedFoundSeries {
  /** Indexes the found series if their version differs from the indexed one. Never rejects. */
  refresh(): Promise<void>;
  /** Passes a query to the providers for a limited time. Never rejects. */
  find(query: string, signal: AbortSignal | undefined): Promise<FindReply>;
}

const NOTHING_FOUND: FindReply = { isChanged: false, unavailable: [] };
const MAX_READS = 3;

/** Keeps the found series in the index. */
export function indexFoundSeries(
  found: FoundSeries,
  index: SeriesIndex,
  log: Pick<Log, 'warn'>,
  findWithinMs: number,
): IndexedFoundSeries {
  /** Reads the list together with its version, which the cursors contain; null if the version is indexed. */
  async function readList() {
    let version = await found.version();
    for (let reads = 1; version !== index.foundVersion; reads++) {
      const entries = await found.list();
      const versionAfter = await found.version();
      if (versionAfter === version || reads === MAX_READS) return { entries, version };
      version = versionAfter;
    }
    return null;
  }

  async function load(): Promise<void> {
    try {
      const list = await readList();
      if (list) await index.replaceFound(list);
    } catch (error) {
      log.warn({ err: error }, 'reading the found series failed; search uses the earlier ones');
    }
  }

  return {
    refresh: joinCalls(load),
    async find(query, signal) {
      const end = new AbortController();
      const finding = (async () => found.find(query, end.signal))();
      if (await settlesWithin(finding, findWithinMs, signal)) {
        try {
          return await finding;
        } catch (error) {
          log.warn({ err: error }, 'the search of the providers failed');
        }
      } else {
        end.abort();
        if (!signal?.aborted) log.warn({}, 'the search of the providers did not end in time');
      }
      return NOTHING_FOUND;
    },
  };
}

/**
 * Returns a function that does the work once for all calls that wait for it. Work that already runs may have read
 * earlier data than a call needs, so such a call waits for the work after it.
 */
function joinCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    if (running === null) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
  return start;
}
