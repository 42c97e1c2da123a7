import type { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

export interface FileLock {
  release(): void;
}

/**
 * Takes the one lock on a file, which is made where it is missing; returns nothing when another process, or this one,
 * has it.
 *
 * The lock is an open exclusive transaction on a SQLite file: the operating system drops it when the process ends, even
 * by kill -9, and a lock file left behind means nothing. Nothing else in this process may open that file, not even to
 * read it: closing any handle on a file ends the process's POSIX locks on it.
 */
export async function tryLockFile(path: string): Promise<FileLock | undefined> {
  // Few processes need a lock, so only they pay for loading SQLite.
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(path);
  if (tryLock(file)) return { release: () => file.close() };
  file.close();
  return undefined;
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
