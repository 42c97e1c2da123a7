import { tooManyHeavyRequests, tooMuchHeavyWork } from '../faults.ts';

export interface HeavyWorkLimits {
  /** Number of heavy requests that one caller can have running or in line. */
  readonly perCaller: number;
  /** Number of heavy requests that run in this process at the same time. */
  readonly perProcess: number;
  /** How long a request waits in line before it is refused. */
  readonly waitMs: number;
}

/** Limits how many heavy requests run at the same time: one caller must not occupy the process. */
export interface HeavyWork {
  /** Runs work when it is its turn. Throws a fault if the caller has too much running, or the line is too long. */
  run<Result>(caller: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Counts a request whose duration depends on the client, such as a download, for its caller only. Otherwise a few
   * slow clients would occupy the process.
   *
   * @returns a function that ends it
   */
  hold(caller: string): () => void;
}

/** Creates the limits of one process. When several callers wait, they take turns, whoever came first. */
export function createHeavyWork(limits: HeavyWorkLimits): HeavyWork {
  const countByCaller = new Map<string, number>();
  /** The waiting requests of each caller. The caller whose turn is next comes first. */
  const line = new Map<string, (() => void)[]>();
  let running = 0;

  function hold(caller: string): () => void {
    const count = countByCaller.get(caller) ?? 0;
    if (count >= limits.perCaller) throw tooManyHeavyRequests(limits.perCaller);
    countByCaller.set(caller, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (countByCaller.get(caller) ?? 1) - 1;
      if (left > 0) countByCaller.set(caller, left);
      else countByCaller.delete(caller);
    };
  }

  /** Waits until the process has room. Each request that ends passes its place to the next in line. */
  function takeTurn(caller: string): Promise<void> {
    if (running < limits.perProcess) {
      running++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        leaveLine(caller, start);
        reject(tooMuchHeavyWork(Math.max(1, Math.ceil(limits.waitMs / 1_000))));
      }, limits.waitMs);
      line.set(caller, [...(line.get(caller) ?? []), start]);
    });
  }

  function leaveLine(caller: string, start: () => void): void {
    const left = (line.get(caller) ?? []).filter((waiting) => waiting !== start);
    if (left.length > 0) line.set(caller, left);
    else line.delete(caller);
  }

  function passTurn(): void {
    const [next] = line;
    if (next === undefined) {
      running--;
      return;
    }
    const [caller, [start, ...others]] = next;
    line.delete(caller);
    // Added again at the end of the line, behind the other callers.
    if (others.length > 0) line.set(caller, others);
    start?.();
  }

  return {
    hold,
    async run(caller, work) {
      const release = hold(caller);
      try {
        await takeTurn(caller);
        try {
          return await work();
        } finally {
          passTurn();
        }
      } finally {
        release();
      }
    },
  };
}
