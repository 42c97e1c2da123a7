import { Worker } from 'node:worker_threads';
import {
  footerTooSlow,
  parquetColumnsExceeded,
  parquetFooterTooLarge,
  parquetUnreadable,
  tableChanged,
} from './faults.ts';
import type { TableFile } from './find-table-files.ts';
import { type FooterProblem, type FooterSummary, MAX_COLUMNS } from './footer-summary.ts';
import type { FooterReply, FooterRequest } from './footer-thread.ts';
import { VersionCache, versionKey } from './version-cache.ts';

interface FooterReaderOptions {
  /** A file whose footer takes longer is refused. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** The largest number of column chunks in the cache. Default: 2,000,000, which take about 60 MB. */
  readonly maxChunks?: number;
  /** The script of the thread, for tests. */
  readonly script?: URL;
}

type Outcome = FooterSummary | FooterProblem | 'too-slow';

interface PendingFile {
  readonly file: TableFile;
  readonly settle: (outcome: Outcome) => void;
}

/** Outcomes after which another attempt may succeed: the machine was busy, or the file was being replaced. */
const PASSING: ReadonlySet<Outcome> = new Set(['too-slow', 'changed', 'inaccessible']);

/** The largest heap of the thread, which the number of values in a footer keeps it from reaching. */
const MAX_HEAP_MB = 768;
/** A thread without work ends after this time, so that a quiet process does not hold its memory. */
const IDLE_MS = 30_000;

/**
 * Reads footers of Parquet files in a thread, one at a time, because the parser can take long for a hostile file. The
 * thread is ended if it does. Concurrent reads of a file share one read, and its summary is cached until the file changes.
 */
export class FooterReader {
  readonly #timeoutMs: number;
  readonly #script: URL;
  readonly #cache: VersionCache<Outcome>;
  readonly #shared = new Map<string, Promise<Outcome>>();
  readonly #waiting: PendingFile[] = [];
  #current: (PendingFile & { readonly id: number; readonly timer: NodeJS.Timeout }) | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor({
    timeoutMs = 10_000,
    maxChunks = 2_000_000,
    script = new URL('./footer-thread.ts', import.meta.url),
  }: FooterReaderOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#script = script;
    this.#cache = new VersionCache(maxChunks, countChunks);
  }

  /** Returns the summary of a file. Throws a fault if it cannot be read. */
  async read(file: TableFile): Promise<FooterSummary> {
    const outcome = this.#cache.get(file) ?? (await this.#share(file));
    if (typeof outcome === 'object') return outcome;
    throw toFault(outcome, file.name);
  }

  /** Ends the thread. Reads that are waiting fail. */
  async close(): Promise<void> {
    for (const { file, settle } of this.#waiting.splice(0)) {
      this.#shared.delete(versionKey(file));
      settle('changed');
    }
    clearTimeout(this.#idle);
    await this.#endThread('changed');
  }

  #share(file: TableFile): Promise<Outcome> {
    const key = versionKey(file);
    const shared = this.#shared.get(key);
    if (shared !== undefined) return shared;
    const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
    this.#shared.set(key, promise);
    this.#waiting.push({ file, settle });
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    if (this.#current !== null) return;
    const next = this.#waiting.shift();
    clearTimeout(this.#idle);
    if (next === undefined) {
      // An idle thread does not keep the process alive; one with a file does.
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.#endThread('changed'), IDLE_MS).unref();
      return;
    }
    const id = ++this.#lastId;
    this.#worker ??= this.#startThread();
    this.#worker.ref();
    this.#current = { ...next, id, timer: setTimeout(() => void this.#endThread('too-slow'), this.#timeoutMs) };
    const { path, size, modifiedNs, inode } = next.file;
    this.#worker.postMessage({ id, path, size, modifiedNs, inode } satisfies FooterRequest);
  }

  #startThread(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.on('message', (reply: FooterReply) => {
      if (this.#current?.id === reply.id) this.#settle('summary' in reply ? reply.summary : reply.problem);
    });
    // A thread that fails, such as one without memory, fails the file that it was reading.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#settle('unreadable');
    });
    return worker;
  }

  async #endThread(outcome: Outcome): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#settle(outcome);
    await worker?.terminate();
  }

  #settle(outcome: Outcome): void {
    const current = this.#current;
    if (current === null) return;
    this.#current = null;
    clearTimeout(current.timer);
    if (!PASSING.has(outcome)) this.#cache.set(current.file, outcome);
    this.#shared.delete(versionKey(current.file));
    current.settle(outcome);
    this.#startNext();
  }
}

/** Counts the column chunks of a file, and each of its columns for its own size. */
function countChunks(outcome: Outcome): number {
  if (typeof outcome !== 'object') return 1;
  return outcome.columns.reduce((sum, { bytes }) => sum + bytes.length + 1, 1);
}

function toFault(outcome: FooterProblem | 'too-slow', file: string): Error {
  switch (outcome) {
    case 'unreadable':
    case 'inaccessible':
      return parquetUnreadable(file);
    case 'too-large':
      return parquetFooterTooLarge(file);
    case 'too-many-columns':
      return parquetColumnsExceeded(file, MAX_COLUMNS);
    case 'too-slow':
      return footerTooSlow(file);
    case 'changed':
      return tableChanged();
  }
}
