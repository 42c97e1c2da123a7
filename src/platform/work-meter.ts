import { AsyncLocalStorage } from 'node:async_hooks';

/** Counts the work of one request. */
export interface WorkMeter {
  /** Number of rows of files that were read or stored. */
  rows: number;
}

const current = new AsyncLocalStorage<WorkMeter>();

/** Runs a function whose work is counted, however deep the calls that do it are. */
export function runMetered<Result>(meter: WorkMeter, run: () => Result): Result {
  return current.run(meter, run);
}

/** Counts rows in the meter of the current request, if it has one. */
export function countRowsOfWork(rows: number): void {
  const meter = current.getStore();
  if (meter !== undefined) meter.rows += rows;
}
