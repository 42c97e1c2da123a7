import { load } from './load.ts';
import { cpuSeconds, residentMiB } from './process-cost.ts';
import { median, percentile } from './statistics.ts';

export const PATH = '/api/v1/me/access';

export interface Size {
  readonly requests: number;
  readonly rounds: number;
  readonly connections: number;
}

export interface Cost {
  /** CPU time per request in microseconds, of all threads of the serving process. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly rssMiB: number;
}

/** One of the two servers, measured under load. */
export class MeasuredServer {
  readonly cpu: number[] = [];
  readonly #perSecond: number[] = [];
  readonly #p50: number[] = [];
  readonly #p99: number[] = [];
  readonly #pid: number;
  readonly #run: () => ReturnType<typeof load>;
  readonly #requests: number;

  constructor(pid: number, port: number, key: string, bodyBytes: number, { requests, connections }: Size) {
    this.#pid = pid;
    this.#requests = requests;
    this.#run = () => load({ port, path: PATH, key, connections, requests, bodyBytes });
  }

  /** Runs one round. A round that does not count only warms up the server. */
  async round(counts: boolean): Promise<void> {
    const before = cpuSeconds(this.#pid);
    const { seconds, latencies } = await this.#run();
    const used = cpuSeconds(this.#pid) - before;
    if (!counts) return;
    this.cpu.push((used / this.#requests) * 1e6);
    this.#perSecond.push(this.#requests / seconds);
    this.#p50.push(percentile(latencies, 0.5));
    this.#p99.push(percentile(latencies, 0.99));
  }

  cost(): Cost {
    return {
      cpuMicros: median(this.cpu),
      perSecond: median(this.#perSecond),
      p50: median(this.#p50),
      p99: median(this.#p99),
      rssMiB: residentMiB(this.#pid),
    };
  }
}
