import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from '../support/cli/almanac-process.ts';
import type { Service } from '../support/cli/service.ts';

export interface RunningProcess {
  /** null: the process has no API */
  readonly service: Pick<Service, 'fetch'> | null;
  readonly ended: Promise<Ending>;
  readonly stderr: () => string;
  kill9(): Promise<Ending>;
  stop(): Promise<Ending>;
}

const MAX_STARTS = 10;
const PAUSE_MS = 200;

/** A process that is killed and restarted. */
export class ManagedProcess {
  readonly role: 'api' | 'worker';
  readonly #start: () => Promise<RunningProcess>;
  readonly #maxStarts: number;
  #running: RunningProcess | null = null;
  /** Exits of the process that the test did not cause. */
  readonly violations: string[] = [];
  /** Failed starts, which cut connections can cause; the next start must succeed. */
  failedStarts = 0;

  constructor(role: ManagedProcess['role'], start: () => Promise<RunningProcess>, maxStarts = MAX_STARTS) {
    this.role = role;
    this.#start = start;
    this.#maxStarts = maxStarts;
  }

  get isUp(): boolean {
    return this.#running !== null;
  }

  get service(): RunningProcess['service'] {
    return this.#running?.service ?? null;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const running = await this.#start();
        this.#running = running;
        void running.ended.then((ending) => this.#handleEnd(running, ending));
        return;
      } catch (error) {
        if (attempt === this.#maxStarts) throw error;
        this.failedStarts += 1;
        await sleep(PAUSE_MS);
      }
    }
  }

  /** Kills the process without a chance to clean up. */
  async kill9(): Promise<void> {
    await this.#detach()?.kill9();
  }

  async stop(): Promise<void> {
    const ending = await this.#detach()?.stop();
    if (ending && ending.code !== 0) this.violations.push(`${this.role}: stopped with ${ending.code ?? ending.signal}`);
  }

  #detach(): RunningProcess | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }

  #handleEnd(running: RunningProcess, { code, signal }: Ending): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.violations.push(`${this.role}: ended unexpectedly with ${code ?? signal}: ${running.stderr().slice(-1_500)}`);
  }
}
