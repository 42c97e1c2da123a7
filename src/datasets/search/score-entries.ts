import type { Lookup } from './parse-query.ts';
import {
  AS_ALIAS,
  AS_SYMBOL,
  FIELD_BITS,
  findPosition,
  findPrefixEnd,
  IN_KEYWORD,
  IN_TITLE,
  type Postings,
} from './postings.ts';
import type { SimilarTerms } from './similar-terms.ts';

/** A range of terms that match a lookup, with the quality of the match for each set of fields. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
  readonly qualities: Uint8Array;
}

/** The highest score of a single word. */
export const MAX_WORD_SCORE = 15;
/**
 * An instrument may be listed in several timeframes by several providers, but an alias of more series than this
 * is a topic and not an instrument.
 */
const MAX_SERIES_OF_ALIAS = 64;

const EXACT = qualitiesByFields({ symbol: MAX_WORD_SCORE, alias: 12, title: 8, keyword: 6 });
const EXACT_TOPIC = qualitiesByFields({ symbol: MAX_WORD_SCORE, alias: 6, title: 8, keyword: 6 });
const PREFIX = qualitiesByFields({ symbol: 4, alias: 4, title: 4, keyword: 3 });
const ONE_EDIT = qualitiesByFields({ symbol: 2, alias: 2, title: 2, keyword: 2 });
const TWO_EDITS = qualitiesByFields({ symbol: 1, alias: 1, title: 1, keyword: 1 });

interface SearchedTerms {
  readonly postings: Postings;
  readonly memberTerms: ReadonlyMap<string, readonly number[]>;
  readonly similar: SimilarTerms;
}

/** Returns whether a word is an alias of so many series, in all indexes together, that it is a topic. */
export function isTopic(indexes: readonly Pick<SearchedTerms, 'postings'>[], word: string): boolean {
  let count = 0;
  for (const { postings } of indexes) {
    const term = findPosition(postings.terms, word);
    if (postings.terms[term] === word) count += postings.aliasCounts[term] as number;
  }
  return count > MAX_SERIES_OF_ALIAS;
}

/**
 * Returns the terms that match a lookup: exactly, by their beginning, or with typing errors.
 *
 * @param withMembers whether words of members match the entries that have them
 */
export function matchTerms(
  { postings, memberTerms, similar }: SearchedTerms,
  { text, isLast, edits }: Lookup,
  isTopic: boolean,
  withMembers: boolean,
): TermRange[] {
  const { terms } = postings;
  const matches: TermRange[] = [];
  const from = findPosition(terms, text);
  const afterExact = terms[from] === text ? from + 1 : from;
  if (afterExact > from) matches.push({ from, to: afterExact, qualities: isTopic ? EXACT_TOPIC : EXACT });
  const ofMembers = withMembers ? (memberTerms.get(text) ?? []) : [];
  for (const term of ofMembers) matches.push({ from: term, to: term + 1, qualities: EXACT });
  if (isLast) matches.push({ from: afterExact, to: findPrefixEnd(terms, text), qualities: PREFIX });
  if (edits > 0) {
    similar.find(text, edits, (term, distance) => {
      if (distance > 0) matches.push({ from: term, to: term + 1, qualities: distance === 1 ? ONE_EDIT : TWO_EDITS });
    });
  }
  return matches;
}

/** Returns, for each set of fields, the best quality among these fields. */
function qualitiesByFields(of: Readonly<Record<'symbol' | 'alias' | 'title' | 'keyword', number>>): Uint8Array {
  return Uint8Array.from({ length: 1 << FIELD_BITS }, (_, fields) =>
    Math.max(
      fields & AS_SYMBOL ? of.symbol : 0,
      fields & AS_ALIAS ? of.alias : 0,
      fields & IN_TITLE ? of.title : 0,
      fields & IN_KEYWORD ? of.keyword : 0,
    ),
  );
}

/** The terms that one word of a query matches. */
type WordMatches = readonly TermRange[];

export interface Scores {
  /** The matching entries, in the order of their numbers. */
  readonly found: Uint32Array;
  /** For each entry, how many words of the query match. */
  readonly matched: Uint8Array;
  /** For each entry, the sum of the qualities of its matches. */
  readonly sums: Uint16Array;
}

const ANY = -1;
const FIELD_MASK = (1 << FIELD_BITS) - 1;

/**
 * Scores the entries that match all words, or any word if `someWords` is true, and whose type has a 1 in `isWanted`.
 * The result is valid until the next call.
 */
export type ScoreEntries = (words: readonly WordMatches[], someWords: boolean, isWanted: Uint8Array) => Scores;

/** Creates a scorer that reuses its arrays, because allocating arrays of this size costs more than filling them. */
export function createScorer({ starts, list }: Postings, types: Uint8Array): ScoreEntries {
  const entryCount = types.length;
  const isPresent = new Uint8Array(256);
  for (let entry = 0; entry < entryCount; entry++) isPresent[types[entry] as number] = 1;
  const matched = new Uint8Array(entryCount);
  const sums = new Uint16Array(entryCount);
  /** For the current word, the best quality of each entry and the entries that match. */
  const best = new Uint8Array(entryCount);
  const matching = new Uint32Array(entryCount);

  /** Counts a word for all entries that match it, or only for those that match exactly `already` words so far. */
  function addWord(ranges: WordMatches, already: number | typeof ANY, isWanted: Uint8Array | null): number {
    let count = 0;
    for (const { from, to, qualities } of ranges) {
      const end = starts[to] as number;
      for (let i = starts[from] as number; i < end; i++) {
        const posting = list[i] as number;
        const entry = posting >>> FIELD_BITS;
        if (already !== ANY && matched[entry] !== already) continue;
        if (isWanted !== null && isWanted[types[entry] as number] === 0) continue;
        const quality = qualities[posting & FIELD_MASK] as number;
        const previous = best[entry] as number;
        if (quality <= previous) continue;
        best[entry] = quality;
        if (previous === 0) matching[count++] = entry;
      }
    }
    for (let i = 0; i < count; i++) {
      const entry = matching[i] as number;
      matched[entry] = (matched[entry] as number) + 1;
      sums[entry] = (sums[entry] as number) + (best[entry] as number);
      best[entry] = 0;
    }
    return count;
  }

  return (words, someWords, isWanted) => {
    matched.fill(0);
    sums.fill(0);
    const filter = isWanted.some((wanted, type) => wanted < (isPresent[type] as number)) ? isWanted : null;
    if (someWords) {
      for (const ranges of words) addWord(ranges, ANY, filter);
      return { found: collectMatched(matched, 1, matching), matched, sums };
    }
    // Rare words first, so that most entries with the other words are skipped.
    let count = 0;
    const rareFirst = words.toSorted((a, b) => countPostings(starts, a) - countPostings(starts, b));
    for (const [already, ranges] of rareFirst.entries())
      count = addWord(ranges, already, already === 0 ? filter : null);
    // If few entries match, they are sorted; if many match, a pass over all entries is cheaper.
    const found = count > 2048 ? collectMatched(matched, words.length, matching) : matching.subarray(0, count).sort();
    return { found, matched, sums };
  };
}

function countPostings(starts: Uint32Array, ranges: WordMatches): number {
  return ranges.reduce((count, { from, to }) => count + (starts[to] ?? 0) - (starts[from] ?? 0), 0);
}

/** Writes the numbers of the entries that match at least this many words into `entries`, and returns them. */
function collectMatched(matched: Uint8Array, words: number, entries: Uint32Array): Uint32Array {
  let count = 0;
  for (let entry = 0; entry < matched.length; entry++) {
    // Without a branch, which the processor could not predict: the sign bit is 1 if the entry matches.
    entries[count] = entry;
    count += (words - 1 - (matched[entry] as number)) >>> 31;
  }
  return entries.subarray(0, count);
}
