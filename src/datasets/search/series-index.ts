import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { type BuiltIndex, buildIndex } from './build-index.ts';
import { MAX_QUERY_WORDS, parseQuery } from './parse-query.ts';
import { MAX_WORD_SCORE, matchTerms, type Scores } from './score-entries.ts';
import { runSteps, runStepsInSlices, type Steps } from './steps.ts';

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
   * Adds entries. An entry replaces an earlier one whose source has the same JSON. The next search rebuilds the index.
   */
  add(entries: readonly ListedSeries[]): void;
  /**
   * Adds many entries without blocking the event loop. Until they are indexed, searches find only the earlier entries.
   */
  addAll(entries: readonly ListedSeries[]): Promise<void>;
  search(request: SearchRequest): SearchFound;
  readonly size: number;
}

/**
 * The number of ranks for different lengths of the title. The length counts less than any difference in match quality.
 */
const LENGTH_STEPS = 8;
const RANKS_PER_WORD = (MAX_WORD_SCORE * MAX_QUERY_WORDS + 1) * LENGTH_STEPS;

export function createSeriesIndex(): SeriesIndex {
  const bySource = new Map<string, ListedSeries>();
  let built = runSteps(buildIndex(bySource));
  let additions = 0;
  let builtAdditions = 0;
  let building: Promise<void> = Promise.resolve();

  function* put(entries: readonly ListedSeries[]): Steps<void> {
    for (const [i, entry] of entries.entries()) {
      bySource.set(JSON.stringify(entry.source), entry);
      if (i % 1024 === 0) yield;
    }
  }

  async function putAndBuild(entries: readonly ListedSeries[]): Promise<void> {
    await runStepsInSlices(put(entries));
    const additionsSeen = additions;
    built = await runStepsInSlices(buildIndex(bySource));
    builtAdditions = additionsSeen;
  }

  return {
    add(entries) {
      runSteps(put(entries));
      additions++;
    },
    addAll(entries) {
      const done = building.then(() => putAndBuild(entries));
      building = done.catch(() => {});
      return done;
    },
    search({ query, types = SOURCE_TYPES, limit, offset }) {
      if (builtAdditions !== additions) {
        built = runSteps(buildIndex(bySource));
        builtAdditions = additions;
      }
      const { found, ranks } = rankEntries(built, query, types);
      const positions = selectPage(ranks, offset, limit);
      return {
        results: positions.flatMap((position) => built.entries[found[position] ?? 0] ?? []),
        total: found.length,
      };
    },
    get size() {
      return bySource.size;
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
  if (query.trim() === '') {
    const all = new Uint32Array(index.entries.length);
    for (let entry = 0; entry < all.length; entry++) all[entry] = entry;
    const found = filterByType(index, all, types);
    return { found, ranks: new Uint16Array(found.length) };
  }
  const { words, lookups } = parseQuery(query);
  const matches = lookups.map((lookup) => ({ covers: lookup.covers, terms: matchTerms(index, lookup) }));
  const matchesOfWord = Array.from({ length: words }, (_, word) =>
    matches.flatMap(({ covers, terms }) => (covers.has(word) ? terms : [])),
  );
  for (const someWords of words > 1 ? [false, true] : [false]) {
    const scores = index.score(matchesOfWord, someWords);
    const found = filterByType(index, scores.found, types);
    if (found.length > 0) return { found, ranks: computeRanks(index, found, scores) };
  }
  return { found: new Uint32Array(0), ranks: new Uint16Array(0) };
}

function filterByType(index: BuiltIndex, found: Uint32Array, types: readonly SourceType[]): Uint32Array {
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

/**
 * Ranks entries by the number of matching words, then by the quality of the matches, then by the number of other words
 * in the title, the fewest first.
 */
function computeRanks({ titleLengths }: BuiltIndex, found: Uint32Array, scores: Scores): Uint16Array {
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
