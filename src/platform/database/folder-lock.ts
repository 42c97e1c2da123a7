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
 * Takes the one lock on a data folder, or throws `DatabaseInUseError` after `waitMs`. Two processes on one PGlite folder
 * destroy it without any error, so this comes before anything else touches the folder.
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
    if (performance.now() >= deadline) throw new DatabaseInUseError(folder, livingHolder(pidFile));
    await sleep(RETRY_MS);
  }
}

function release(lock: FileLock, pidFile: string): void {
  rmSync(pidFile, { force: true });
  lock.release();
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
