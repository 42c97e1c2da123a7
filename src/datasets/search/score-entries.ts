import type { TermRange } from './match-terms.ts';
import { PLACE_BITS, type Postings } from './postings.ts';

/** What each word of a query matches. */
export type WordMatches = readonly TermRange[];

export interface Scores {
  /** The entries found, in the order of their numbers. */
  readonly found: Uint32Array;
  /** For each entry how many words it has. */
  readonly matched: Uint8Array;
  /** For each entry the sum over its words of how well it has them. */
  readonly sums: Uint16Array;
}

const ANY = -1;
const PLACES = (1 << PLACE_BITS) - 1;

/** Finds the entries that have all words, or with `someWords` any. What it returns holds until it is called again. */
export type ScoreEntries = (words: readonly WordMatches[], someWords: boolean) => Scores;

/** Keeps its arrays from one search to the next: at this size, allocating them costs more than filling them. */
export function createScorer({ starts, list }: Postings, entryCount: number): ScoreEntries {
  const matched = new Uint8Array(entryCount);
  const sums = new Uint16Array(entryCount);
  /** How well each entry has the word in hand, and which ones have it. */
  const best = new Uint8Array(entryCount);
  const having = new Uint32Array(entryCount);

  /** Counts a word for all entries, or for those alone that have just so many already. */
  function addWord(ranges: WordMatches, already: number | typeof ANY): number {
    let count = 0;
    for (const { from, to, qualities } of ranges) {
      const end = starts[to] as number;
      for (let i = starts[from] as number; i < end; i++) {
        const posting = list[i] as number;
        const entry = posting >>> PLACE_BITS;
        if (already !== ANY && matched[entry] !== already) continue;
        const quality = qualities[posting & PLACES] as number;
        const before = best[entry] as number;
        if (quality <= before) continue;
        best[entry] = quality;
        if (before === 0) having[count++] = entry;
      }
    }
    for (let i = 0; i < count; i++) {
      const entry = having[i] as number;
      matched[entry] = (matched[entry] as number) + 1;
      sums[entry] = (sums[entry] as number) + (best[entry] as number);
      best[entry] = 0;
    }
    return count;
  }

  return (words, someWords) => {
    matched.fill(0);
    sums.fill(0);
    if (someWords) {
      for (const ranges of words) addWord(ranges, ANY);
      return { found: entriesWith(matched, 1, having), matched, sums };
    }
    // Rare words first: most entries that have the others are then passed over.
    let count = 0;
    const rareFirst = words.toSorted((a, b) => postingCount(starts, a) - postingCount(starts, b));
    for (const [before, ranges] of rareFirst.entries()) count = addWord(ranges, before);
    // A few are sorted; for many, going through all entries is cheaper.
    const found = count > 2048 ? entriesWith(matched, words.length, having) : having.subarray(0, count).sort();
    return { found, matched, sums };
  };
}

function postingCount(starts: Uint32Array, ranges: WordMatches): number {
  return ranges.reduce((count, { from, to }) => count + (starts[to] ?? 0) - (starts[from] ?? 0), 0);
}

/** The numbers of the entries that have so many words, written into `entries`. */
function entriesWith(matched: Uint8Array, words: number, entries: Uint32Array): Uint32Array {
  let count = 0;
  for (let entry = 0; entry < matched.length; entry++)
    if ((matched[entry] as number) >= words) entries[count++] = entry;
  return entries.subarray(0, count);
}
