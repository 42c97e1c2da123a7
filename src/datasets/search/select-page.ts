import type { RankedEntries } from './rank-entries.ts';

/** An entry on a page: its number, and whether it is in the large index or in the small one. */
export interface SelectedEntry {
  readonly isInLarge: boolean;
  readonly entry: number;
}

/**
 * Returns the entries of two indexes on one page: highest rank first, equal ranks in the order of title and source. Uses
 * a counting sort that writes only this page, so that a late page costs no more than the first.
 *
 * @param entriesBefore for each entry of the small index, how many entries of the large one precede it in that order
 */
export function selectPage(
  large: RankedEntries,
  small: RankedEntries,
  entriesBefore: Uint32Array,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly SelectedEntry[] {
  const end = Math.min(large.found.length + small.found.length, offset + limit);
  const page: SelectedEntry[] = new Array(Math.max(end - offset, 0));
  const nextIndex = countHigherRanks(large.ranks, small.ranks);
  let missing = page.length;

  /** Takes the next entries of an index, up to position `to`. */
  function take({ found, ranks }: RankedEntries, isInLarge: boolean, from: number, to: number): void {
    for (let position = from; position < to && missing > 0; position++) {
      const rank = ranks[position] as number;
      const index = nextIndex[rank] as number;
      nextIndex[rank] = index + 1;
      if (index < offset || index >= end) continue;
      page[index - offset] = { isInLarge, entry: found[position] as number };
      missing--;
    }
  }

  let taken = 0;
  for (let position = 0; position < small.found.length && missing > 0; position++) {
    const before = findFirst(large.found, taken, entriesBefore[small.found[position] as number] as number);
    take(large, true, taken, before);
    take(small, false, position, position + 1);
    taken = before;
  }
  take(large, true, taken, large.found.length);
  return page;
}

/** Returns the position of the first number, at `from` or later, that is not below `bound`. */
function findFirst(ascending: Uint32Array, from: number, bound: number): number {
  let low = from;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns, for each rank, how many entries have a higher rank. */
function countHigherRanks(...lists: readonly Uint16Array[]): Uint32Array {
  let highest = 0;
  for (const ranks of lists) {
    for (let i = 0; i < ranks.length; i++) if ((ranks[i] as number) > highest) highest = ranks[i] as number;
  }
  const counts = new Uint32Array(highest + 1);
  for (const ranks of lists) {
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      counts[rank] = (counts[rank] as number) + 1;
    }
  }
  let higher = 0;
  for (let rank = highest; rank >= 0; rank--) {
    const count = counts[rank] as number;
    counts[rank] = higher;
    higher += count;
  }
  return counts;
}
