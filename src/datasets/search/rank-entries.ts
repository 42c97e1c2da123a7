import type { BuiltIndex } from './build-index.ts';
import { MAX_QUERY_WORDS, parseQuery } from './parse-query.ts';
import { isTopic, MAX_WORD_SCORE, matchTerms, type Scores } from './score-entries.ts';

/** The entries that match a query in several indexes. */
export interface RankedIndexes {
  readonly ranked: readonly RankedEntries[];
  /** Whether no entry matches all words, so that these match only some. */
  readonly isPartial: boolean;
}

export interface RankedEntries {
  /** The entries, in the order of their numbers. */
  readonly found: Uint32Array;
  /** The rank of each found entry. */
  readonly ranks: Uint16Array;
}

/**
 * The number of ranks for different lengths of the title. The length counts less than any difference in match quality.
 */
const LENGTH_STEPS = 8;
/** The number of ranks of entries that match equally well: two for the status, times the lengths of the title. */
const TIE_STEPS = 2 * LENGTH_STEPS;
const RANKS_PER_WORD = (MAX_WORD_SCORE * MAX_QUERY_WORDS + 1) * TIE_STEPS;

/**
 * Returns, for each index, the entries that match all words of a query or, if no index has such an entry, those that
 * match any. The ranks of different indexes can be compared. The result is valid until the next call.
 *
 * @param isWanted what `selectTypes` returned
 */
export function rankEntries(indexes: readonly BuiltIndex[], query: string, isWanted: Uint8Array): RankedIndexes {
  if (query.trim() === '') {
    return { ranked: indexes.map((index) => selectByType(index, isWanted)), isPartial: false };
  }
  const { words, lookups } = parseQuery(query);
  const topics = lookups.map(({ text }) => isTopic(indexes, text));
  const matchWords = (index: BuiltIndex, withMembers: boolean) => {
    const matches = lookups.map((lookup, i) => matchTerms(index, lookup, topics[i] as boolean, withMembers));
    return Array.from({ length: words }, (_, word) =>
      matches.flatMap((terms, i) => (lookups[i]?.covers.has(word) ? terms : [])),
    );
  };
  // If only some words match, the name of a country must not count: it would find every series that has all countries.
  const scoreAll = (someWords: boolean): Scores[] =>
    indexes.map((index) => index.score(matchWords(index, !someWords), someWords, isWanted));
  let scores = scoreAll(false);
  const isPartial = words > 1 && scores.every(({ found }) => found.length === 0);
  if (isPartial) scores = scoreAll(true);
  return { ranked: indexes.map((index, i) => computeRanks(index, scores[i] as Scores)), isPartial };
}

function selectByType({ types, ranks }: BuiltIndex, isWanted: Uint8Array): RankedEntries {
  const found = new Uint32Array(types.length);
  let count = 0;
  for (let entry = 0; entry < types.length; entry++) {
    found[count] = entry;
    count += isWanted[types[entry] as number] as number;
  }
  return { found: found.subarray(0, count), ranks: ranks.subarray(0, count).fill(0) };
}

/**
 * Ranks entries by the number of matching words, then by the quality of the matches, then active instruments before
 * delisted ones, then by the number of other words in the title, the fewest first.
 */
function computeRanks(index: BuiltIndex, { found, matched, sums }: Scores): RankedEntries {
  const { titleLengths, delisted } = index;
  const ranks = index.ranks.subarray(0, found.length);
  for (let i = 0; i < found.length; i++) {
    const entry = found[i] as number;
    const words = matched[entry] as number;
    const otherWords = Math.max((titleLengths[entry] as number) - words, 0);
    const brevity = Math.max(LENGTH_STEPS - 1 - otherWords, 0);
    const tie = (1 - (delisted[entry] as number)) * LENGTH_STEPS + brevity;
    ranks[i] = (words - 1) * RANKS_PER_WORD + (sums[entry] as number) * TIE_STEPS + tie;
  }
  return { found, ranks };
}
