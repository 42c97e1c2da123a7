import { formatTable } from '../../../bench/format-table.ts';

interface Entry {
  readonly fault: string;
  /** The hosts that could not be reached or did not run meanwhile. */
  readonly silent: readonly string[];
  readonly startedAt: number;
  endedAt: number;
}

/** Records which faults were injected, and when. */
export class FaultLog {
  readonly #entries: Entry[] = [];
  #startedAt = 0;
  /** Milliseconds from the failure of a primary to the first acknowledged write. */
  readonly failovers: number[] = [];

  /** Starts the time that is printed with each fault. */
  begin(): void {
    this.#startedAt = performance.now();
  }

  /** Runs a fault, from its injection until it is healed. */
  async record(fault: string, details: string, silent: readonly string[], run: () => Promise<void>): Promise<void> {
    const entry: Entry = { fault, silent, startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY };
    this.#entries.push(entry);
    console.log(`${((entry.startedAt - this.#startedAt) / 1_000).toFixed(1).padStart(6)} s  ${fault}: ${details}`);
    try {
      await run();
    } finally {
      entry.endedAt = performance.now();
    }
  }

  /** Returns whether a host could not respond at some time between two. */
  wasSilent(host: string, from: number, to: number): boolean {
    return this.#entries.some((one) => one.silent.includes(host) && one.startedAt < to && one.endedAt > from);
  }

  format(): string {
    const byFault = Map.groupBy(this.#entries, ({ fault }) => fault);
    const rows = [...byFault].sort(([a], [b]) => (a < b ? -1 : 1));
    return formatTable([
      ['fault', 'times', 'longest'],
      ...rows.map(([fault, entries]) => {
        const longest = Math.max(...entries.map(({ startedAt, endedAt }) => endedAt - startedAt));
        return [fault, String(entries.length), `${(longest / 1_000).toFixed(1)} s`];
      }),
    ]);
  }
}
