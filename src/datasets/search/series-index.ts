import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { type BuiltIndex, buildIndex } from './build-index.ts';
import { MAX_QUERY_WORDS, parseQuery } from './parse-query.ts';
import { MAX_WORD_SCORE, matchTerms, type Scores } from './score-entries.ts';
import { runSteps, runStepsInSlices } from './steps.ts';

export interface SearchRequest {
  /** An empty or blank query finds everything, ordered by title. */
  readonly query: string;
  /** Default: all types. */
  readonly types?: readonly SourceType[];
  readonly limit: number;
  readonly offset: number;
}

export interface SearchFound {
  readonly results: readonly ListedSeries[];
  /** The number of results on all pages. */
  readonly total: number;
}

export interface SeriesIndex {
  /**
   * Replaces all entries without blocking the event loop. Until the new ones are indexed, searches find the earlier
   * ones. Calls take effect in their order. The sources of the entries must differ.
   */
  replaceAll(entries: readonly ListedSeries[]): Promise<void>;
  search(request: SearchRequest): SearchFound;
  /** The number of indexed entries. */
  readonly size: number;
}

/**
 * The number of ranks for different lengths of the title. The length counts less than any difference in match quality.
 */
const LENGTH_STEPS = 8;
/** The number of ranks of entries that match equally well: two for the status, times the lengths of the title. */
const TIE_STEPS = 2 * LENGTH_STEPS;
const RANKS_PER_WORD = (MAX_WORD_SCORE * MAX_QUERY_WORDS + 1) * TIE_STEPS;

/** Creates an index of the given entries. Indexing many blocks the event loop: use `replaceAll` for them. */
export function createSeriesIndex(entries: readonly ListedSeries[] = []): SeriesIndex {
  let built = runSteps(buildIndex(entries));
  let building: Promise<void> = Promise.resolve();

  return {
    replaceAll(entries) {
      const done = building.then(async () => {
        built = await runStepsInSlices(buildIndex(entries));
      });
      building = done.catch(() => {});
      return done;
    },
    search({ query, types = SOURCE_TYPES, limit, offset }) {
      const { found, ranks } = rankEntries(built, query, types);
      const positions = selectPage(ranks, offset, limit);
      return {
        results: positions.flatMap((position) => built.entries[found[position] ?? 0] ?? []),
        total: found.length,
      };
    },
    get size() {
      return built.entries.length;
    },
  };
}

interface RankedEntries {
  /** The entries, in the order of their numbers. */
  readonly found: Uint32Array;
  /** The rank of each found entry. */
  readonly ranks: Uint16Array;
}

/** Returns the entries that match all words of a query or, if there are none, those that match any. */
function rankEntries(index: BuiltIndex, query: string, types: readonly SourceType[]): RankedEntries {
  const isWanted = Uint8Array.from(SOURCE_TYPES, (type) => (types.includes(type) ? 1 : 0));
  if (query.trim() === '') {
    const found = selectByType(index, isWanted);
    return { found, ranks: index.ranks.subarray(0, found.length).fill(0) };
  }
  const { words, lookups } = parseQuery(query);
  const matches = lookups.map((lookup) => ({ covers: lookup.covers, terms: matchTerms(index, lookup) }));
  const matchesOfWord = Array.from({ length: words }, (_, word) =>
    matches.flatMap(({ covers, terms }) => (covers.has(word) ? terms : [])),
  );
  for (const someWords of words > 1 ? [false, true] : [false]) {
    const scores = index.score(matchesOfWord, someWords, isWanted);
    if (scores.found.length > 0) return { found: scores.found, ranks: computeRanks(index, scores) };
  }
  return { found: new Uint32Array(0), ranks: new Uint16Array(0) };
}

function selectByType({ types }: BuiltIndex, isWanted: Uint8Array): Uint32Array {
  const found = new Uint32Array(types.length);
  let count = 0;
  for (let entry = 0; entry < types.length; entry++) {
    found[count] = entry;
    count += isWanted[types[entry] as number] as number;
  }
  return found.subarray(0, count);
}

/**
 * Ranks entries by the number of matching words, then by the quality of the matches, then active instruments before
 * delisted ones, then by the number of other words in the title, the fewest first.
 */
function computeRanks(index: BuiltIndex, { found, matched, sums }: Scores): Uint16Array {
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
  return ranks;
}

/**
 * Returns the positions in `ranks` of the entries on one page: highest rank first, equal ranks in their original order.
 * Uses a counting sort that writes only this page, so that a late page costs no more than the first.
 */
function selectPage(ranks: Uint16Array, offset: number, limit: number): readonly number[] {
  const end = Math.min(ranks.length, offset + limit);
  const positions: number[] = new Array(Math.max(end - offset, 0)).fill(0);
  const nextIndex = countHigherRanks(ranks);
  let missing = positions.length;
  for (let position = 0; missing > 0; position++) {
    const rank = ranks[position] as number;
    const index = nextIndex[rank] as number;
    nextIndex[rank] = index + 1;
    if (index < offset || index >= end) continue;
    positions[index - offset] = position;
    missing--;
  }
  return positions;
}

/** Returns, for each rank, how many entries have a higher rank. */
function countHigherRanks(ranks: Uint16Array): Uint32Array {
  let highest = 0;
  for (let i = 0; i < ranks.length; i++) if ((ranks[i] as number) > highest) highest = ranks[i] as number;
  const counts = new Uint32Array(highest + 1);
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    counts[rank] = (counts[rank] as number) + 1;
  }
  let higher = 0;
  for (let rank = highest; rank >= 0; rank--) {
    const count = counts[rank] as number;
    counts[rank] = higher;
    higher += count;
  }
  return counts;
}
