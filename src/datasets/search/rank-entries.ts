import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { BuiltIndex } from './build-index.ts';
import { BEST_QUALITY, matchTerms } from './match-terms.ts';
import { MAX_WORDS, parseQuery } from './parse-query.ts';
import type { Scores } from './score-entries.ts';

/** What the length of a title is worth: less than any difference in how well words match. */
const LENGTH_STEPS = 8;
const RANKS_PER_WORD = (BEST_QUALITY * MAX_WORDS + 1) * LENGTH_STEPS;

export interface RankedEntries {
  /** In the order of their numbers. */
  readonly found: Uint32Array;
  /** Of each of those. */
  readonly ranks: Uint16Array;
}

/** The entries that have all words of a query; if there are none, those that have any. */
export function rankEntries(index: BuiltIndex, query: string, types: readonly SourceType[]): RankedEntries {
  if (query.trim() === '') {
    const all = new Uint32Array(index.entries.length);
    for (let entry = 0; entry < all.length; entry++) all[entry] = entry;
    const found = ofTypes(index, all, types);
    return { found, ranks: new Uint16Array(found.length) };
  }
  const { words, lookups } = parseQuery(query);
  const matches = lookups.map((lookup) => ({ covers: lookup.covers, terms: matchTerms(index, lookup) }));
  const matchesOfWord = Array.from({ length: words }, (_, word) =>
    matches.flatMap(({ covers, terms }) => (covers.has(word) ? terms : [])),
  );
  for (const someWords of words > 1 ? [false, true] : [false]) {
    const scores = index.score(matchesOfWord, someWords);
    const found = ofTypes(index, scores.found, types);
    if (found.length > 0) return { found, ranks: ranksOf(index, found, scores) };
  }
  return { found: new Uint32Array(0), ranks: new Uint16Array(0) };
}

function ofTypes(index: BuiltIndex, found: Uint32Array, types: readonly SourceType[]): Uint32Array {
  const isWanted = Uint8Array.from(SOURCE_TYPES, (type) => (types.includes(type) ? 1 : 0));
  if (!isWanted.includes(0)) return found;
  const wanted = new Uint32Array(found.length);
  let count = 0;
  for (let i = 0; i < found.length; i++) {
    const entry = found[i] as number;
    if (isWanted[index.types[entry] as number] === 1) wanted[count++] = entry;
  }
  return wanted.subarray(0, count);
}

/** By how many words match, then how well, then by titles that say little else. */
function ranksOf({ titleLengths }: BuiltIndex, found: Uint32Array, scores: Scores): Uint16Array {
  const { matched, sums } = scores;
  const ranks = new Uint16Array(found.length);
  for (let i = 0; i < found.length; i++) {
    const entry = found[i] as number;
    const words = matched[entry] as number;
    const otherWords = Math.max((titleLengths[entry] as number) - words, 0);
    const brevity = Math.max(LENGTH_STEPS - 1 - otherWords, 0);
    ranks[i] = (words - 1) * RANKS_PER_WORD + (sums[entry] as number) * LENGTH_STEPS + brevity;
  }
  return ranks;
}
