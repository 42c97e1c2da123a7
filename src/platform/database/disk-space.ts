import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFullError } from './errors.ts';
import { isWrite } from './write-statements.ts';

const MIB = 1024 * 1024;

const RESERVE_MIB = 32;

/** How often the free space is read while no statement writes. */
const INTERVAL_MS = 2_000;

/** Writes are accepted again above the minimum by this factor, so that the state does not change with every row. */
const RECOVERY_FACTOR = 1.25;

export interface DiskSpaceOptions {
  /** The data folder. */
  readonly folder: string;
  /** The number of MiB that must be free. */
  readonly minFreeMib: number;
  readonly log: { warn(details: object, message: string): void } | undefined;
  /** Called when the free space falls below the minimum, to release what the database can release. */
  readonly onLow: () => Promise<void>;
}

/**
 * Watches the free space of the disk that holds an embedded database. Below a minimum, statements that write are
 * refused: without space for its write-ahead log, PGlite loops inside WebAssembly and never returns.
 *
 * A reserve, a file of 32 MiB beside the database, lets statements that have begun complete when another program fills
 * the disk. It is removed when a write to the log fails, and created again when space returns.
 */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;
  readonly #minBytes: number;
  readonly #reserve: string;
  #isLow = false;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #isWritingReserve = false;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
    this.#minBytes = options.minFreeMib * MIB;
    this.#reserve = join(options.folder, 'database.reserve');
  }

  /** Throws `DiskFullError` if too little space is free to open the database. The reserve is used first. */
  requireSpaceToOpen(): void {
    if (this.#freeBytes() < this.#minBytes) this.releaseReserve();
    if (this.#freeBytes() < this.#minBytes) {
      throw new DiskFullError(`${this.#describe()} Free some space or set ALMANAC_DATA to a folder on another disk.`);
    }
  }

  start(): void {
    this.#timer = setInterval(() => {
      const free = this.#look();
      if (!this.#isLow && free >= this.#minBytes * RECOVERY_FACTOR + RESERVE_MIB * MIB) this.#keepReserve();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  isLow(): boolean {
    return this.#isLow;
  }

  /** Throws `DiskFullError` if the statement writes and too little space is free. */
  admit(text: string): void {
    if (!isWrite(text)) return;
    this.#look();
    if (this.#isLow) throw new DiskFullError(this.#describe());
  }

  /** Removes the reserve. Returns whether there was one. */
  releaseReserve(): boolean {
    try {
      rmSync(this.#reserve);
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the number of free bytes. */
  #look(): number {
    const free = this.#freeBytes();
    const { log, folder, onLow } = this.#options;
    if (!this.#isLow && free < this.#minBytes) {
      this.#isLow = true;
      log?.warn(
        { freeMib: Math.floor(free / MIB) },
        `${this.#describe()} Writes are refused until space is free again.`,
      );
      this.#round = this.#round
        .then(onLow)
        .catch((error) => log?.warn({ err: error }, 'the database released no space'));
    } else if (this.#isLow && free >= this.#minBytes * RECOVERY_FACTOR) {
      this.#isLow = false;
      log?.warn({ freeMib: Math.floor(free / MIB) }, `${folder} has enough free space again. Writes are accepted.`);
    }
    return free;
  }

  /** Creates the reserve if there is none. A failure is ignored: the next look tries again. */
  #keepReserve(): void {
    if (this.#isWritingReserve || existsSync(this.#reserve)) return;
    this.#isWritingReserve = true;
    this.#round = this.#round
      .then(() => (this.#isStopped ? undefined : writeReserve(this.#reserve)))
      .catch(() => undefined)
      .finally(() => {
        this.#isWritingReserve = false;
      });
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#options.folder);
    return bavail * bsize;
  }

  #describe(): string {
    return `Less than ${this.#options.minFreeMib} MiB are free in ${this.#options.folder}.`;
  }
}

/** Writes the reserve under another name first, so that an incomplete one does not count. */
async function writeReserve(path: string): Promise<void> {
  const draft = `${path}.unfinished`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      // Not zeros, which some file systems do not store.
      const block = crypto.getRandomValues(new Uint8Array(65_536));
      for (let written = 0; written < RESERVE_MIB * MIB; written += block.length) await file.write(block);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
