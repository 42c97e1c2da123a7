import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { buildIndex } from './build-index.ts';
import { pickPage } from './pick-page.ts';
import { rankEntries } from './rank-entries.ts';
import { runAtOnce, runInSlices, type Steps } from './steps.ts';

export interface SearchRequest {
  /** Nothing but spaces: everything, by title. */
  readonly query: string;
  /** Default: all. */
  readonly types?: readonly SourceType[];
  readonly limit: number;
  readonly offset: number;
}

export interface SearchFound {
  readonly results: readonly ListedSeries[];
  /** Of all pages. */
  readonly total: number;
}

export interface SeriesIndex {
  /** An entry with the same source, as JSON, replaces the one before. The next search builds the index anew. */
  add(entries: readonly ListedSeries[]): void;
  /** The same for many entries, while other work goes on: searches find what was there before until it is done. */
  addAll(entries: readonly ListedSeries[]): Promise<void>;
  search(request: SearchRequest): SearchFound;
  readonly size: number;
}

export function createSeriesIndex(): SeriesIndex {
  const bySource = new Map<string, ListedSeries>();
  let built = runAtOnce(buildIndex(bySource));
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
    await runInSlices(put(entries));
    const additionsSeen = additions;
    built = await runInSlices(buildIndex(bySource));
    builtAdditions = additionsSeen;
  }

  return {
    add(entries) {
      runAtOnce(put(entries));
      additions++;
    },
    addAll(entries) {
      const done = building.then(() => putAndBuild(entries));
      building = done.catch(() => {});
      return done;
    },
    search({ query, types = SOURCE_TYPES, limit, offset }) {
      if (builtAdditions !== additions) {
        built = runAtOnce(buildIndex(bySource));
        builtAdditions = additions;
      }
      const { found, ranks } = rankEntries(built, query, types);
      const { positions, total } = pickPage(ranks, offset, limit);
      return { results: positions.flatMap((position) => built.entries[found[position] ?? 0] ?? []), total };
    },
    get size() {
      return bySource.size;
    },
  };
}
