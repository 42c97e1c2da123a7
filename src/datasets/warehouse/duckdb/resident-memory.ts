import { readFile } from 'node:fs/promises';

const CHECK_EVERY_MS = 250;

/** Returns the memory that a process has in use; 0 if the process has ended or the system does not report it. */
export async function readResidentBytes(pid: number | undefined): Promise<number> {
  // In contrast to statm, it does not depend on the size of a page, which varies between systems.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/**
 * Calls `onExceeded` once if the memory of a process exceeds a limit. DuckDB's own limit does not cover all of its
 * memory.
 *
 * @returns a function that stops the checks
 */
export function watchMemory(pid: number | undefined, maxBytes: number, onExceeded: () => void): () => void {
  let isStopped = false;
  const timer = setInterval(async () => {
    const bytes = await readResidentBytes(pid);
    if (isStopped || bytes <= maxBytes) return;
    stop();
    onExceeded();
  }, CHECK_EVERY_MS);
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return stop;
}
