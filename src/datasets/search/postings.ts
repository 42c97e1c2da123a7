import { copyInSteps, type Steps, sortInSteps } from './steps.ts';

/** The fields of an entry that contain a word, as bits, because several fields may contain it. */
export const IN_KEYWORD = 1;
export const IN_TITLE = 2;
/** The word is a keyword that looks like a symbol, or a part of the symbol of an instrument. */
export const AS_ALIAS = 4;
/** The word is the whole symbol or series id. */
export const AS_SYMBOL = 8;

/** The low bits of a posting are the fields; the high bits are the number of the entry. */
export const FIELD_BITS = 4;

/** For each term, the entries that contain it. */
export interface Postings {
  readonly terms: readonly string[];
  /** Term `t` has the postings from `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
  /** For each term, the number of entries that have it as an alias, at most 255. */
  readonly aliasCounts: Uint8Array;
}

/** Sorts the words and collects the postings of each. */
export function* buildPostings(
  words: readonly string[],
  pairs: { readonly words: NumberList; readonly postings: NumberList },
): Steps<Postings> {
  const numbers = yield* copyInSteps(words.keys());
  const sorted = yield* sortInSteps(numbers, (a, b) => ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1));
  const terms: string[] = [];
  const termOfWord = new Uint32Array(words.length);
  for (const word of sorted) {
    termOfWord[word] = terms.length;
    terms.push(words[word] ?? '');
    if (terms.length % 16_384 === 0) yield;
  }

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
  const aliasCounts = new Uint8Array(words.length);
  for (let pair = 0; pair < pairs.words.length; pair++) {
    const term = termOfPair(pair);
    const slot = next[term] ?? 0;
    next[term] = slot + 1;
    const posting = pairs.postings.at(pair);
    list[slot] = posting;
    if ((posting & AS_ALIAS) !== 0 && (aliasCounts[term] ?? 0) < 255) aliasCounts[term] = (aliasCounts[term] ?? 0) + 1;
    if (pair % 16_384 === 0) yield;
  }
  yield;
  return { terms, starts, list, aliasCounts };
}

/** A list that grows like an array but takes four bytes per number. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Uint32Array(this.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length++] = number;
  }

  at(position: number): number {
    return this.#numbers[position] ?? 0;
  }

  set(position: number, number: number): void {
    this.#numbers[position] = number;
  }
}

/** Returns the position of `word` in a sorted list of terms, or the position at which it would be. */
export function findPosition(terms: readonly string[], word: string): number {
  return findFirst(terms, (term) => term >= word);
}

/** Returns the position after the last term that begins with `prefix`. */
export function findPrefixEnd(terms: readonly string[], prefix: string): number {
  return findFirst(terms, (term) => term > prefix && !term.startsWith(prefix));
}

/** Returns the position of the first item for which `isPast` is true. It must also be true for all later items. */
export function findFirst<Item>(items: readonly Item[], isPast: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
