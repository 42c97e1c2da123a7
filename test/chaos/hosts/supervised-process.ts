import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const RESTART_MS = 500;

/** A server that is started again when it ends, as a service manager does. */
export class SupervisedProcess {
  readonly #command: readonly string[];
  readonly #logFile: string;
  #isWanted = false;
  #child: ChildProcess | null = null;

  constructor(command: readonly string[], logFile: string) {
    this.#command = command;
    this.#logFile = logFile;
  }

  start(): void {
    this.#isWanted = true;
    if (this.#child === null) this.#spawn();
  }

  /** Ends the process, which stays ended. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #spawn(): void {
    const [program = '', ...args] = this.#command;
    const log = openSync(this.#logFile, 'a');
    const child = spawn(program, args, { stdio: ['ignore', log, log], cwd: '/' });
    closeSync(log);
    this.#child = child;
    child.once('exit', () => {
      this.#child = null;
      void this.#restart();
    });
  }

  async #restart(): Promise<void> {
    await sleep(RESTART_MS);
    if (this.#isWanted && this.#child === null) this.#spawn();
  }
}
