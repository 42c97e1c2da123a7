import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Allows one installer at a time, by tickets instead of a lock file. A dead holder's lock file cannot be taken over
// safely: between finding the holder dead and removing its file, another process may have done both and created its own
// file. The name of a ticket is never reused, so removing the ticket of a dead process removes nothing else.
//
// Each process first writes its ticket and then reads the others; of two that do so at the same moment, at least one
// finds the other. A process that finds the ticket of a running process removes its own and tries again later.
//
// Process ids are valid only on one machine (and in one container), and so is this lock.

const UNKNOWN_START = 'unknown';

/**
 * Returns when a process started. The id alone does not identify a process, because ids are reused: after a crash in a
 * container, the next process often has the id of the one that died.
 * @param {number} pid
 * @returns {string | null} null if there is no such process
 */
export function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return null;
  }
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return UNKNOWN_START;
  }
  // Field 2 is the command in parentheses and can contain spaces; field 3 is the state, field 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  // If no init process reaps it, a killed process remains a zombie.
  if (state === 'Z' || state === 'X') return null;
  return startTime ?? UNKNOWN_START;
}

/** @param {number} pid */
export function ticketName(pid) {
  return `${pid}_${startOf(pid)}_${randomUUID()}`;
}

/** @param {string} name */
function belongsToLivingProcess(name) {
  const [pid, start] = name.split('_');
  const currentStart = startOf(Number(pid));
  return currentStart !== null && (currentStart === start || currentStart === UNKNOWN_START || start === UNKNOWN_START);
}

/**
 * @param {unknown} error
 * @param {string[]} codes
 */
function isFileError(error, ...codes) {
  return codes.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}

export class InstallLock {
  #folder;
  /** @type {string[]} */
  #tickets = [];

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * @param {string} folder the folder for the tickets; created if missing
   * @returns {InstallLock | null} null if another process holds the lock
   */
  static tryAcquire(folder) {
    const lock = new InstallLock(folder);
    try {
      mkdirSync(folder);
    } catch (error) {
      if (!isFileError(error, 'EEXIST')) throw error;
    }
    try {
      lock.holdFor(process.pid);
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return null; // the last holder has just removed the folder
      throw error;
    }
    if (!lock.#isHeldByOthers()) return lock;
    lock.release();
    return null;
  }

  /**
   * Keeps the lock while the process `pid` also runs: if the launcher is killed, its npm continues to write.
   * @param {number} pid
   */
  holdFor(pid) {
    const name = ticketName(pid);
    writeFileSync(path.join(this.#folder, name), '', { flag: 'wx' });
    this.#tickets.push(name);
  }

  release() {
    for (const name of this.#tickets.splice(0)) rmSync(path.join(this.#folder, name), { force: true });
    try {
      rmdirSync(this.#folder);
    } catch (error) {
      if (!isFileError(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }

  #isHeldByOthers() {
    let found = false;
    for (const name of readdirSync(this.#folder)) {
      if (this.#tickets.includes(name)) continue;
      if (belongsToLivingProcess(name)) found = true;
      else rmSync(path.join(this.#folder, name), { force: true });
    }
    return found;
  }
}
