import { tooManyHeavyRequests, tooManyTransfers, tooMuchHeavyWork } from '../faults.ts';

export interface HeavyWorkLimits {
  /** Number of heavy requests of one caller that run in this process at the same time. */
  readonly perCaller: number;
  /** Number of heavy requests that run in this process at the same time. */
  readonly perProcess: number;
  /** How long a request waits in line before it is refused. */
  readonly waitMs: number;
}

/** Number of heavy requests that one caller can have in line. */
const MAX_WAITING = 8;

/** Number of uploads and downloads of one caller at the same time. */
const MAX_TRANSFERS = 8;

/** Limits how many heavy requests run at the same time: one caller must not occupy the process. */
export interface HeavyWork {
  /** Runs work when it is its turn. Throws a fault if the caller has too many requests in line, or waited too long. */
  run<Result>(caller: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Counts an upload or download for its caller only. Its duration depends on the client, so a few slow clients would
   * otherwise occupy the process. Throws a fault if the caller has too many.
   *
   * @returns a function that ends it
   */
  startTransfer(caller: string): () => void;
}

/** Creates the limits of one process. When several callers wait, they take turns, in whatever order their requests came. */
export function createHeavyWork(limits: HeavyWorkLimits): HeavyWork {
  const runningByCaller = new Map<string, number>();
  const transfersByCaller = new Map<string, number>();
  /** The waiting requests of each caller. The caller whose turn is next comes first. */
  const line = new Map<string, (() => void)[]>();
  let running = 0;

  const isFull = (caller: string): boolean => (runningByCaller.get(caller) ?? 0) >= limits.perCaller;

  function start(caller: string): void {
    running++;
    change(runningByCaller, caller, 1);
  }

  function end(caller: string): void {
    running--;
    change(runningByCaller, caller, -1);
    startNext();
  }

  function startNext(): void {
    if (running >= limits.perProcess) return;
    for (const [caller, [next, ...others]] of line) {
      if (isFull(caller)) continue;
      line.delete(caller);
      // Added again at the end of the line, behind the other callers.
      if (others.length > 0) line.set(caller, others);
      start(caller);
      next?.();
      return;
    }
  }

  function takeTurn(caller: string): Promise<void> {
    if (running < limits.perProcess && !isFull(caller)) {
      start(caller);
      return Promise.resolve();
    }
    const waiting = line.get(caller) ?? [];
    if (waiting.length >= MAX_WAITING) throw tooManyHeavyRequests(limits.perCaller, MAX_WAITING);
    return new Promise((resolve, reject) => {
      const next = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        leaveLine(caller, next);
        // The caller's own requests hold it up, or those of others.
        if (isFull(caller)) reject(tooManyHeavyRequests(limits.perCaller, MAX_WAITING));
        else reject(tooMuchHeavyWork(Math.max(1, Math.ceil(limits.waitMs / 1_000))));
      }, limits.waitMs);
      line.set(caller, [...waiting, next]);
    });
  }

  function leaveLine(caller: string, next: () => void): void {
    const left = (line.get(caller) ?? []).filter((waiting) => waiting !== next);
    if (left.length > 0) line.set(caller, left);
    else line.delete(caller);
  }

  return {
    startTransfer(caller) {
      if ((transfersByCaller.get(caller) ?? 0) >= MAX_TRANSFERS) throw tooManyTransfers(MAX_TRANSFERS);
      change(transfersByCaller, caller, 1);
      let isRunning = true;
      return () => {
        if (isRunning) change(transfersByCaller, caller, -1);
        isRunning = false;
      };
    },
    async run(caller, work) {
      await takeTurn(caller);
      try {
        return await work();
      } finally {
        end(caller);
      }
    },
  };
}

function change(counts: Map<string, number>, caller: string, by: 1 | -1): void {
  const count = (counts.get(caller) ?? 0) + by;
  if (count > 0) counts.set(caller, count);
  else counts.delete(caller);
}
