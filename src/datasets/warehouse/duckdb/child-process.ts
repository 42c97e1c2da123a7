import { type ChildProcess, fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CHILD_FLAGS, childEnvironment, type Log } from '../../../platform/index.ts';
import type { RawRows } from '../engine.ts';
import type { ChildCommand, ChildReply, DuckdbQuery } from './child-messages.ts';
import { filesUnreadable, queryTooLarge, readEnded } from './faults.ts';
import { queryError } from './query-errors.ts';
import { readResidentBytes, watchMemory } from './resident-memory.ts';
import { makeTempFolder } from './temp-folders.ts';

const SCRIPT = fileURLToPath(new URL('./duckdb-child.ts', import.meta.url));

/** A small heap: the rows of a query take 2 MB. */
const NODE_FLAGS = [...CHILD_FLAGS, '--max-old-space-size=128', '--max-semi-space-size=1'];

/** A child that holds more after a query is ended, because the next query would reach the limit earlier. */
const MAX_RESTING_BYTES = 256 * 2 ** 20;

/** The last characters of the child's error output that are logged. */
const MAX_ERROR_OUTPUT = 2_000;

export interface ChildOptions {
  readonly tempFolder: string;
  readonly log: Pick<Log, 'warn'>;
  /** The time that an interrupted query has to end before the child is killed. */
  readonly graceMs: number;
  readonly maxResidentBytes: number;
  /** The program of the child, in tests. */
  readonly script?: string | undefined;
}

/** A process that runs one query at a time. While it has none, it does not keep this process alive. */
export interface DuckdbChild {
  /** Returns false if the process has ended or is being ended. */
  isUsable(): boolean;
  /**
   * Runs a query. The promise settles when the child can run another one or has been killed.
   *
   * @param stop interrupts the query
   * @param onRows receives the rows, earlier than the promise settles
   */
  run(query: DuckdbQuery, stop: AbortSignal, onRows: (rows: RawRows) => void): Promise<void>;
  /** Kills the process and removes its temporary files. */
  end(): Promise<void>;
}

interface PendingQuery {
  readonly id: number;
  readonly files: readonly string[];
  readonly stop: AbortSignal;
  readonly onRows: (rows: RawRows) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Starts a child in a folder of its own, which is removed when the child ends. */
export async function startChild({
  tempFolder,
  log,
  graceMs,
  maxResidentBytes,
  script = SCRIPT,
}: ChildOptions): Promise<DuckdbChild> {
  const folder = await makeTempFolder(tempFolder);
  const child = fork(script, {
    cwd: folder,
    env: childEnvironment(),
    execArgv: NODE_FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = Promise.withResolvers<void>();
  let isUsable = true;
  let hasEnded = false;
  let isReady = false;
  let pending: PendingQuery | null = null;
  let killReason: Error | null = null;
  let errorOutput = '';
  let lastId = 0;

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT);
  });
  child.on('message', (reply: ChildReply) => {
    if (reply.kind === 'ready') isReady = true;
    else if (reply.id !== pending?.id) return;
    else if (reply.kind === 'rows') pending.onRows(reply.rows);
    else if (reply.kind === 'idle') pending.resolve();
    else pending.reject(pending.stop.aborted ? pending.stop.reason : queryError(reply.message, pending.files, log));
  });
  const handleEnd = (reason: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    isUsable = false;
    // A child that ends during a query for no reason of ours was ended by the file, or never worked.
    if (pending !== null && killReason === null && !pending.stop.aborted) {
      const [file] = pending.files;
      log.warn(
        { reason, errorOutput, file, files: pending.files.length },
        'the process that reads warehouse tables ended unexpectedly',
      );
      killReason = isReady ? endFault(reason) : new Error('The process that reads warehouse tables does not start.');
    }
    const removed = rm(folder, { recursive: true, force: true });
    removed
      .catch((error) => log.warn({ err: error }, 'temporary files cannot be removed'))
      .finally(() => {
        pending?.reject(killReason ?? pending.stop.reason);
        ended.resolve();
      });
  };
  child.on('error', (error) => handleEnd(error.message));
  child.on('exit', (code, signal) => handleEnd(signal ?? `exit code ${code}`));
  setKeepsAlive(child, false);

  // An error is ignored, because the end of the child is reported otherwise.
  const send = (command: ChildCommand): void => void child.send(command, () => undefined);
  const end = (): Promise<void> => {
    isUsable = false;
    setKeepsAlive(child, true);
    child.kill('SIGKILL');
    return ended.promise;
  };

  const run: DuckdbChild['run'] = async (query, stop, onRows) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const id = ++lastId;
    pending = { id, files: query.files, stop, onRows, resolve, reject };
    let killTimer: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      send({ kind: 'interrupt', id });
      killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    };
    setKeepsAlive(child, true);
    send({ kind: 'run', id, query });
    stop.addEventListener('abort', interrupt, { once: true });
    const stopWatching = watchMemory(child.pid, maxResidentBytes, () => {
      killReason = queryTooLarge();
      child.kill('SIGKILL');
    });
    try {
      await promise;
    } finally {
      pending = null;
      stopWatching();
      clearTimeout(killTimer);
      stop.removeEventListener('abort', interrupt);
      setKeepsAlive(child, false);
      if (isUsable && (await readResidentBytes(child.pid)) > MAX_RESTING_BYTES) await end();
    }
  };
  return { isUsable: () => isUsable, run, end };
}

/** Returns the fault for a query whose process has ended: by a file that crashed it, or killed from outside. */
function endFault(reason: string): Error {
  return reason === 'SIGKILL' ? readEnded() : filesUnreadable();
}

function setKeepsAlive(child: ChildProcess, keepsAlive: boolean): void {
  const change = keepsAlive ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  (child.stderr as unknown as { ref(): void; unref(): void } | null)?.[change]();
}
