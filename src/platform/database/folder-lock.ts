import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, tryLockFile } from '../file-lock.ts';
import { DatabaseInUseError } from './errors.ts';

const RETRY_MS = 50;

export interface FolderLock {
  release(): void;
}

/**
 * Takes the lock on a data folder. Throws `DatabaseInUseError` if it does not get the lock within `waitMs`. Call it
 * before anything else opens the folder, because two processes that use the same PGlite folder corrupt it without an
 * error.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock> {
  const pidFile = join(folder, 'almanac.pid');
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = await tryLockFile(join(folder, 'almanac.lock'));
    if (lock) {
      writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
      return { release: () => release(lock, pidFile) };
    }
    if (performance.now() >= deadline) throw new DatabaseInUseError(folder, runningHolder(pidFile));
    await sleep(RETRY_MS);
  }
}

function release(lock: FileLock, pidFile: string): void {
  rmSync(pidFile, { force: true });
  lock.release();
}

/** Returns the process id of the holder for the error message. The lock does not depend on it. */
function runningHolder(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
