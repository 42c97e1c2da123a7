import { type Log, waitUnlessAborted } from '../../../platform/index.ts';
import type { RawRows } from '../engine.ts';
import type { DuckdbQuery } from './child-messages.ts';
import { type DuckdbChild, startChild } from './child-process.ts';
import { localReadsBusy, localReadsStopped, queryTooSlow } from './faults.ts';

const DEADLINE_MS = 30_000;
/** A child without a query is ended after this time, so that a quiet service does not hold its memory. */
const IDLE_MS = 60_000;
const GRACE_MS = 2_000;
/** DuckDB's own limit of 512 MB, and what Node and the library take. */
const MAX_RESIDENT_BYTES = (512 + 256) * 2 ** 20;
const MAX_WAITING = 2;

export interface QueryRunnerOptions {
  /** The folder below which each child has a folder for its temporary files. */
  readonly tempFolder: string;
  readonly log: Pick<Log, 'warn'>;
  /** The longest time of a query, without the time that it waits for others. */
  readonly deadlineMs?: number;
  readonly idleMs?: number;
  /** The time that an interrupted query has to end before its process is killed. */
  readonly graceMs?: number;
  /** The memory at which the process of a query is killed. */
  readonly maxResidentBytes?: number;
  /** The program of the child, in tests. */
  readonly script?: string;
}

export interface QueryRunner {
  /**
   * Runs a query when the earlier ones have ended. If the signal aborts, the promise rejects with its reason, and the
   * query is interrupted.
   */
  run(query: DuckdbQuery, signal?: AbortSignal): Promise<RawRows>;
  /** Interrupts the running query, refuses the others, and ends the child. */
  close(): Promise<void>;
}

interface WaitingQuery {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs queries in a child process, one at a time, so that a file that crashes DuckDB or takes all its memory costs one
 * query. The child is started by the first query and kept for the next ones.
 *
 * @example
 * const runner = createQueryRunner({ tempFolder: join(dataFolder, 'temp'), log });
 * const { times, values } = await runner.run({ sql, parameters, files, threads: 2 }, signal);
 */
export function createQueryRunner({
  tempFolder,
  log,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
  graceMs = GRACE_MS,
  maxResidentBytes = MAX_RESIDENT_BYTES,
  script,
}: QueryRunnerOptions): QueryRunner {
  const waiting = new Set<WaitingQuery>();
  const closing = new AbortController();
  let running: Promise<unknown> | null = null;
  /** Whether the running query has returned its rows, so that another one can wait in its place. */
  let isEnding = false;
  let child: DuckdbChild | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  const findChild = async (): Promise<DuckdbChild> => {
    clearTimeout(idleTimer);
    if (!child?.isUsable()) child = await startChild({ tempFolder, log, graceMs, maxResidentBytes, script });
    return child;
  };

  /** Starts the query that has waited longest. */
  const startNext = (): void => {
    running = null;
    const [next] = waiting;
    if (next === undefined) idleTimer = setTimeout(() => void child?.end(), idleMs).unref();
    else next.start();
  };

  const execute = async (query: DuckdbQuery, signal: AbortSignal | undefined): Promise<RawRows> => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(queryTooSlow(deadlineMs / 1000)), deadlineMs);
    const stop = AbortSignal.any([deadline.signal, closing.signal, ...(signal === undefined ? [] : [signal])]);
    const rows = Promise.withResolvers<RawRows>();
    isEnding = false;
    const onRows = (found: RawRows): void => {
      isEnding = true;
      rows.resolve(found);
    };
    const work = findChild().then((found) => {
      stop.throwIfAborted();
      return found.run(query, stop, onRows);
    });
    // The next query starts when this one has ended, which can be later than its rows or the rejection of an aborted one.
    running = work.catch(rows.reject).finally(() => {
      clearTimeout(timer);
      startNext();
    });
    return waitUnlessAborted(rows.promise, stop);
  };

  const run = (query: DuckdbQuery, signal?: AbortSignal): Promise<RawRows> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (closing.signal.aborted) return Promise.reject(localReadsStopped());
    if (running === null) return execute(query, signal);
    if (waiting.size >= MAX_WAITING + (isEnding ? 1 : 0)) return Promise.reject(localReadsBusy());
    const { promise, resolve, reject } = Promise.withResolvers<RawRows>();
    const leave = (): void => {
      waiting.delete(entry);
      signal?.removeEventListener('abort', abort);
    };
    const refuse = (error: unknown): void => {
      leave();
      reject(error);
    };
    const abort = (): void => refuse(signal?.reason);
    const entry: WaitingQuery = {
      start: () => {
        leave();
        resolve(execute(query, signal));
      },
      refuse,
    };
    waiting.add(entry);
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  };

  const close = async (): Promise<void> => {
    closing.abort(localReadsStopped());
    for (const query of waiting) query.refuse(localReadsStopped());
    await running;
    clearTimeout(idleTimer);
    await child?.end();
  };

  return { run, close };
}
