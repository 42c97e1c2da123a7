import type { NumberList } from './number-list.ts';
import { sortInSteps } from './sort-in-steps.ts';
import type { Steps } from './steps.ts';

/** A posting is the number of an entry, followed by the places in it where the term stands. */
export const PLACE_BITS = 4;

/** Which entries each term stands in. */
export interface Postings {
  readonly terms: readonly string[];
  /** Term `t` has the postings from `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

/** Sorts the words, and gathers for each the places it was paired with. */
export function* indexPostings(
  words: readonly string[],
  pairs: { readonly words: NumberList; readonly places: NumberList },
): Steps<Postings> {
  const sorted = yield* sortInSteps([...words.keys()], (a, b) => ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1));
  const termOfWord = new Uint32Array(words.length);
  for (const [term, word] of sorted.entries()) termOfWord[word] = term;
  yield;

  const starts = new Uint32Array(words.length + 1);
  const termOfPair = (pair: number): number => termOfWord[pairs.words.at(pair)] ?? 0;
  for (let pair = 0; pair < pairs.words.length; pair++) {
    const after = termOfPair(pair) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
    if (pair % 16_384 === 0) yield;
  }
  for (let term = 1; term <= words.length; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);

  const next = starts.slice();
  const list = new Uint32Array(pairs.words.length);
  for (let pair = 0; pair < pairs.words.length; pair++) {
    const term = termOfPair(pair);
    const slot = next[term] ?? 0;
    next[term] = slot + 1;
    list[slot] = pairs.places.at(pair);
    if (pair % 16_384 === 0) yield;
  }
  yield;
  return { terms: sorted.map((word) => words[word] ?? ''), starts, list };
}
