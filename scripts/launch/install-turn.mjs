import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// One installer at a time, by tickets rather than by one lock file. Taking over a dead holder's lock file cannot be
// done safely: between finding the holder dead and removing its file, another process may have done both and put its
// own file there. A ticket's name is never used twice, so removing one of a dead process removes nothing else.
//
// Everyone puts down a ticket first and looks for others second; of two that do so at the same moment at least one
// sees the other. Whoever sees a living process's ticket takes its own back and tries again later.
//
// Process numbers mean something on one machine (and in one container) only, and so does this lock.

const BIRTH_UNKNOWN = 'unknown';

/**
 * A mark of when a process started, because numbers are used again: after a crash in a container the next start often
 * has the very number of the process that died.
 * @param {number} pid
 * @returns {string | null} null if there is no such process
 */
export function birthOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return null;
  }
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return BIRTH_UNKNOWN;
  }
  // The second field is the command in parentheses and may hold spaces; state is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  // Without an init process that collects it, a killed process stays a zombie for good.
  if (state === 'Z' || state === 'X') return null;
  return startTime ?? BIRTH_UNKNOWN;
}

/** @param {number} pid */
export function ticketName(pid) {
  return `${pid}_${birthOf(pid)}_${randomUUID()}`;
}

/** @param {string} name */
function belongsToLivingProcess(name) {
  const [pid, birth] = name.split('_');
  const birthNow = birthOf(Number(pid));
  return birthNow !== null && (birthNow === birth || birthNow === BIRTH_UNKNOWN || birth === BIRTH_UNKNOWN);
}

/**
 * @param {unknown} error
 * @param {string[]} codes
 */
function isFileError(error, ...codes) {
  return codes.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}

export class InstallTurn {
  #folder;
  /** @type {string[]} */
  #tickets = [];

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * @param {string} folder the folder for the tickets; made on need
   * @returns {InstallTurn | null} null if it is another's turn
   */
  static tryToTake(folder) {
    const turn = new InstallTurn(folder);
    try {
      mkdirSync(folder);
    } catch (error) {
      if (!isFileError(error, 'EEXIST')) throw error;
    }
    try {
      turn.holdFor(process.pid);
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return null; // the last holder has just removed the folder
      throw error;
    }
    if (!turn.#anotherHolds()) return turn;
    turn.release();
    return null;
  }

  /**
   * Keeps the turn for as long as this process lives as well: an npm whose launcher was killed goes on writing.
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

  #anotherHolds() {
    let found = false;
    for (const name of readdirSync(this.#folder)) {
      if (this.#tickets.includes(name)) continue;
      if (belongsToLivingProcess(name)) found = true;
      else rmSync(path.join(this.#folder, name), { force: true });
    }
    return found;
  }
}
