import { setImmediate } from 'node:timers/promises';

/** Long work that stops now and then, so that one description of it can run at once or between other work. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

const SLICE_MS = 10;

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Lets the event loop turn after every few milliseconds of work. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
