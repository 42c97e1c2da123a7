import type { Steps } from './steps.ts';

const RUN_LENGTH = 1024;

/** A merge sort: Array.sort over 100,000 strings would hold the event loop for too long. */
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
