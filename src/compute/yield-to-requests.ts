import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that on a busy machine the thread that answers requests runs first. On
 * systems other than Linux, which give a thread no priority of its own, it does nothing.
 */
export function yieldToRequests(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    // Linux applies this to one thread, although the function is meant for processes.
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The forecast runs as well without it.
  }
}
