import { LONGEST_WORD } from './words.ts';

const ROW = LONGEST_WORD + 1;
let beforeLast = new Uint8Array(ROW);
let last = new Uint8Array(ROW);
let current = new Uint8Array(ROW);

/**
 * How many letters were left out, added, replaced or swapped with their neighbour between two words of at most
 * LONGEST_WORD letters; `atMost + 1` for anything above `atMost`.
 */
export function editDistance(a: string, b: string, atMost: number): number {
  if (Math.abs(a.length - b.length) > atMost) return atMost + 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > 0 && endB > 0 && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  let start = 0;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;

  const width = endB - start;
  for (let j = 0; j <= width; j++) last[j] = j;
  for (let i = 1; i <= endA - start; i++) {
    current[0] = i;
    let smallest = i;
    const letter = a.charCodeAt(start + i - 1);
    for (let j = 1; j <= width; j++) {
      const other = b.charCodeAt(start + j - 1);
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (letter === other ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(start + j - 2) && a.charCodeAt(start + i - 2) === other;
      if (swapped) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      current[j] = edits;
      if (edits < smallest) smallest = edits;
    }
    // A swap reaches back two rows, but costs one itself: nothing below this row can come out smaller.
    if (smallest > atMost) return atMost + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[width] ?? 0, atMost + 1);
}
