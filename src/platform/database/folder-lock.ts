import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseInUseError } from './errors.ts';

const RETRY_MS = 50;
const SQLITE_BUSY = 5;

export interface FolderLock {
  release(): void;
}

/**
 * Takes the one lock on a data folder, or throws `DatabaseInUseError` after `waitMs`. Two processes on one PGlite folder
 * destroy it without any error, so this comes before anything else touches the folder.
 *
 * The lock is an open exclusive transaction on a SQLite file: the operating system drops it when the process ends, even
 * by kill -9, and a lock file left behind means nothing. Nothing else in this process may open that file, not even to
 * read it: closing any handle on a file ends the process's POSIX locks on it.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock> {
  // Only the embedded database needs SQLite, so only it pays for loading it.
  const { DatabaseSync } = await import('node:sqlite');
  const pidFile = join(folder, 'almanac.pid');
  const deadline = performance.now() + waitMs;
  for (;;) {
    const file = new DatabaseSync(join(folder, 'almanac.lock'));
    if (tryLock(file)) {
      writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
      return { release: () => release(file, pidFile) };
    }
    file.close();
    if (performance.now() >= deadline) throw new DatabaseInUseError(folder, livingHolder(pidFile));
    await sleep(RETRY_MS);
  }
}

function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return false;
    file.close();
    throw error;
  }
}

function release(file: DatabaseSync, pidFile: string): void {
  rmSync(pidFile, { force: true });
  file.close();
}

/** The pid is a courtesy for the error message; the lock does not depend on it, so a stale or missing file is fine. */
function livingHolder(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
