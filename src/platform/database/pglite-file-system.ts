import { writeSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Emscripten's numbers for ENOSPC and EDQUOT. */
const DISK_FULL = [51, 19];

type Write = (stream: { readonly path: string }, ...rest: unknown[]) => number;

/** The part of Emscripten's module that is used here. */
interface Module {
  readonly NODEFS: { readonly stream_ops: { write: Write } };
}

export interface FullDiskOptions {
  /** Frees reserved space. Returns false if there was none. */
  readonly releaseReserve: () => boolean;
  /** Ends the process; the default kills it. */
  readonly endProcess?: (line: string) => void;
}

/**
 * The file system of PGlite, which handles a full disk.
 *
 * PostgreSQL cannot continue without its write-ahead log and restarts all processes if it cannot be written. PGlite has
 * no process to restart: it loops inside WebAssembly, and no longer handles signals or timers. Therefore a failed
 * write first gets the reserved space; without it, the process ends. The next start recovers every committed row.
 * Writes to tables are left alone: their statements fail, and the database continues.
 */
export class PgliteFileSystem extends NodeFS {
  readonly #options: FullDiskOptions;

  constructor(files: string, options: FullDiskOptions) {
    super(files);
    this.#options = options;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const guard = (module: unknown) => this.#guard((module as Module).NODEFS.stream_ops);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...toList(emscriptenOpts.preRun), guard] } } as Awaited<
      ReturnType<NodeFS['init']>
    >;
  }

  #guard(operations: { write: Write }): void {
    const write = operations.write;
    operations.write = (stream, ...rest) => {
      try {
        return write(stream, ...rest);
      } catch (error) {
        if (!isDiskFull(error) || stream.path.includes('/base/')) throw error;
        if (this.#options.releaseReserve()) return operations.write(stream, ...rest);
        if (stream.path.includes('/pg_wal/')) (this.#options.endProcess ?? killProcess)(WAL_FULL);
        throw error;
      }
    };
  }
}

const WAL_FULL =
  'The disk of ALMANAC_DATA is full, and the write-ahead log of the embedded database cannot be written. ' +
  'The process ends. Every committed change is kept. Free some space and start the service again.';

function isDiskFull(error: unknown): boolean {
  return DISK_FULL.includes((error as { errno?: number }).errno ?? 0);
}

function toList<Item>(items: Item | Item[] | undefined): Item[] {
  return items === undefined ? [] : Array.isArray(items) ? items : [items];
}

function killProcess(line: string): void {
  try {
    writeSync(process.stderr.fd, `almanac: ${line}\n`);
  } finally {
    // `process.exit` would wait for every thread, and one may be waiting for the full disk.
    process.kill(process.pid, 'SIGKILL');
  }
}
