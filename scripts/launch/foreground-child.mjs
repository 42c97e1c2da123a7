import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** @type {NodeJS.Signals[]} */
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * How a child ended. `received` is the first signal that this process received while the child ran.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, received: NodeJS.Signals | null }} Ending
 */

/**
 * Runs a command until it ends. Signals are passed on and never end this process first: otherwise a terminal, npm or a
 * service manager would assume that the child has ended while it is still writing.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(pid: number) => void} [onStarted]
 * @returns {Promise<Ending>} rejects if the command could not be started
 */
export function runInForeground(command, args, options, onStarted) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Signals | null} */
    let received = null;
    /** @type {import('node:child_process').ChildProcess | undefined} */
    let child;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      received ??= signal;
      child?.kill(signal);
    };
    const stopForwarding = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
    };
    // Registered before the spawn, so that a signal can never end this process and leave the child behind.
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);

    child = spawn(command, args, options);
    child.once('error', (error) => {
      // A signal that cannot be delivered also causes an 'error' event. The child is then still running, and 'exit'
      // follows.
      if (child?.pid !== undefined) return;
      stopForwarding();
      reject(error);
    });
    // Not 'close', which waits for every process that inherited the child's streams, such as a daemon.
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve({ code, signal, received });
    });
    if (child.pid !== undefined) onStarted?.(child.pid);
  });
}

/**
 * Ends this process with a signal, so that the parent gets the same exit status as if it had run the child directly.
 * @param {NodeJS.Signals} signal
 */
export function endBySignal(signal) {
  process.kill(process.pid, signal);
  // Some signals do not end a process (SIGCONT, or SIGTERM as pid 1 of a container); then it exits as a shell would.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 200);
}
