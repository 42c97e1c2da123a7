import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Divides the cores of a machine among the processes that are busy. */
export interface CoreShare {
  /** Registers work. Call `release` once when the work has ended. */
  take(): { readonly threads: number; release(): void };
}

/** Returns a share that does not depend on other processes. */
export function fixedShare(threads: number): CoreShare {
  return { take: () => ({ threads, release: () => undefined }) };
}

/**
 * Returns a share of the cores: their number divided by the number of busy processes, at least 1. Without it, each
 * process would start a thread per core, and several processes would slow each other down. A process counts only while
 * it works, so that an idle one costs the others nothing.
 *
 * Each busy process has a file in the folder. The name of the file is the id and start time of the process, because ids
 * are reused. If the folder cannot be used, the process takes all cores.
 */
export function shareCores(
  // Not `userInfo()`, which throws for a user without an entry in the list of users, as in many containers.
  folder = join(tmpdir(), `almanac-busy-${process.getuid?.()}`),
  cores = availableParallelism(),
): CoreShare {
  const file = join(folder, `${process.pid}_${startOf(process.pid)}`);
  let running = 0;
  return {
    take() {
      running += 1;
      if (running === 1) ignoreErrors(() => register(folder, file));
      return {
        threads: Math.max(1, Math.floor(cores / (1 + countOthers(folder, file)))),
        release: () => {
          running -= 1;
          if (running === 0) ignoreErrors(() => rmSync(file, { force: true }));
        },
      };
    },
  };
}

function register(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  requireOwn(folder);
  writeFileSync(file, '');
}

/** Every user can create a folder or a link with this name, so files are counted and removed only in an own folder. */
function requireOwn(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder of this user.`);
}

const FILE_NAME = /^\d+_\d+$/;

/** Counts the other busy processes, and removes the files of processes that have ended without removing them. */
function countOthers(folder: string, own: string): number {
  let count = 0;
  ignoreErrors(() => {
    requireOwn(folder);
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const [pid, start] = name.split('_');
      if (file === own || !FILE_NAME.test(name)) continue;
      if (startOf(Number(pid)) === start) count += 1;
      else rmSync(file, { force: true });
    }
  });
  return count;
}

/** Returns the start time of a process in ticks since the boot; undefined if there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the command in parentheses, which can contain spaces. Field 22 is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Ignores errors, because another process may remove a file at the same time, and the folder for temporary files may be
 * read-only.
 */
function ignoreErrors(run: () => void): void {
  try {
    run();
  } catch {}
}
