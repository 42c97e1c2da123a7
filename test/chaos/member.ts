import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from '../support/cli/almanac-process.ts';
import type { Service } from '../support/cli/service.ts';

export interface RunningMember {
  /** Null: it has no API. */
  readonly service: Service | null;
  readonly ended: Promise<Ending>;
  readonly stderr: () => string;
  kill9(): Promise<Ending>;
  stop(): Promise<Ending>;
}

const MAX_STARTS = 10;

/** A process that gets killed and comes back. */
export class Member {
  readonly role: 'api' | 'worker';
  readonly #start: () => Promise<RunningMember>;
  #running: RunningMember | null = null;
  /** What it did that nobody made it do. */
  readonly faults: string[] = [];
  /** Starts that were given up, as they may when their connections are cut; the next one has to do. */
  failedStarts = 0;

  constructor(role: Member['role'], start: () => Promise<RunningMember>) {
    this.role = role;
    this.#start = start;
  }

  get isUp(): boolean {
    return this.#running !== null;
  }

  get service(): Service | null {
    return this.#running?.service ?? null;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const running = await this.#start();
        this.#running = running;
        void running.ended.then((ending) => this.#noticeEnd(running, ending));
        return;
      } catch (error) {
        if (attempt === MAX_STARTS) throw error;
        this.failedStarts += 1;
        await sleep(200);
      }
    }
  }

  /** The process has no moment to prepare for it. */
  async kill9(): Promise<void> {
    await this.#letGo()?.kill9();
  }

  async stop(): Promise<void> {
    const ending = await this.#letGo()?.stop();
    if (ending && ending.code !== 0) this.faults.push(`${this.role}: stopped with ${ending.code ?? ending.signal}`);
  }

  #letGo(): RunningMember | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }

  #noticeEnd(running: RunningMember, { code, signal }: Ending): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.faults.push(`${this.role}: ended by itself with ${code ?? signal}: ${running.stderr().slice(-1_500)}`);
  }
}
