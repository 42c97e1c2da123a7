import { setImmediate } from 'node:timers/promises';

/** Long work that yields regularly, so that it can run either without a pause or in slices between other work. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Half of what a slice may take, because a single step may take a few milliseconds. */
const SLICE_MS = 5;

/** Runs the work without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the work and lets the event loop continue after every few milliseconds. */
export async function runStepsInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

const COPY_LENGTH = 16_384;

/** Copies the items into an array. */
export function* copyInSteps<Item>(items: Iterable<Item>): Steps<Item[]> {
  const copy: Item[] = [];
  for (const item of items) {
    copy.push(item);
    if (copy.length % COPY_LENGTH === 0) yield;
  }
  return copy;
}

const RUN_LENGTH = 1024;

/** Sorts by merging, in steps, because `Array.sort` of 100,000 strings would block the event loop for too long. */
export function* sortInSteps<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += RUN_LENGTH) {
    runs.push(items.slice(at, at + RUN_LENGTH).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: Item[][] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merge<Item>(a: Item[], b: Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  const merged: Item[] = [];
  let inA = 0;
  let inB = 0;
  while (inA < a.length && inB < b.length) {
    const [fromA, fromB] = [a[inA] as Item, b[inB] as Item];
    if (compare(fromA, fromB) <= 0) {
      merged.push(fromA);
      inA++;
    } else {
      merged.push(fromB);
      inB++;
    }
    if (merged.length % RUN_LENGTH === 0) yield;
  }
  for (; inA < a.length; inA++) merged.push(a[inA] as Item);
  for (; inB < b.length; inB++) merged.push(b[inB] as Item);
  return merged;
}
