import type { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

export interface FileLock {
  release(): void;
}

/**
 * Takes the lock on a file, which is created if missing. Returns undefined if another process, or this one, holds the
 * lock.
 *
 * The lock is an open exclusive transaction on a SQLite file. The operating system releases it when the process ends,
 * even with kill -9, and a leftover lock file has no effect. No other code in this process may open the file, even to
 * read it, because closing any handle on a file releases the POSIX locks of the process on it.
 */
export async function tryLockFile(path: string): Promise<FileLock | undefined> {
  // Loaded here, because few processes need a lock.
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(path);
  if (tryLock(file, path)) return { release: () => file.close() };
  file.close();
  return undefined;
}

function tryLock(file: DatabaseSync, path: string): boolean {
  try {
    file.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const { errcode } = error as { errcode?: unknown };
    if (errcode === SQLITE_BUSY) return false;
    file.close();
    // The code of the file system, which callers explain.
    if (errcode === SQLITE_FULL) {
      throw Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`, { cause: error }), {
        code: 'ENOSPC',
        syscall: 'write',
        path,
      });
    }
    throw error;
  }
}
