import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, tryLockFile } from '../../../platform/index.ts';

const LOOK_AGAIN_MS = 100;

/** Waits until nobody else pulls the same. A process that died holds nothing. */
export async function waitForLock(
  path: string,
  onWait: () => void,
  signal: AbortSignal | undefined,
): Promise<FileLock> {
  for (let looks = 0; ; looks += 1) {
    const lock = await tryLockFile(path);
    if (lock !== undefined) return lock;
    if (looks === 0) onWait();
    await sleep(LOOK_AGAIN_MS, undefined, signal && { signal });
  }
}
