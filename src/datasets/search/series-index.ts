import { SOURCE_TYPES, type SourceType } from '../../contract/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { buildIndex, selectTypes } from './build-index.ts';
import { combineIndexes } from './combine-indexes.ts';
import { createMemberPreset } from './preset-member.ts';
import { type RankedEntries, rankEntries } from './rank-entries.ts';
import { selectPage } from './select-page.ts';
import { runSteps, runStepsInSlices } from './steps.ts';

export interface SearchRequest {
  /** An empty or blank query finds everything, ordered by title. */
  readonly query: string;
  /** Default: all types. */
  readonly types?: readonly SourceType[];
  /** Whether the caller has an account. Other callers do not find the entries for accounts. Default: false. */
  readonly isAccount?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface SearchFound {
  readonly results: readonly ListedSeries[];
  /** The number of results on all pages. */
  readonly total: number;
  /** Whether no entry matches all words of the query, so that the results match only some. */
  readonly isPartial: boolean;
}

interface FoundEntries {
  readonly entries: readonly ListedSeries[];
  readonly version: string | null;
}

export interface SeriesIndex {
  /**
   * Replaces all entries without blocking the event loop. Until the new ones are indexed, searches find the earlier
   * ones. Calls take effect in their order. The sources of the entries must differ.
   */
  replaceAll(entries: readonly ListedSeries[]): Promise<void>;
  /**
   * Replaces the entries that are indexed beside the others: at most a few thousand, which takes a fraction of a second.
   * The sources of the entries must differ. An entry whose source is also among the others is left out.
   */
  replaceFound(found: FoundEntries): Promise<void>;
  search(request: SearchRequest): SearchFound;
  /** The version of the found entries that searches find now; null before the first call of `replaceFound`. */
  readonly foundVersion: string | null;
  /** The number of indexed entries. */
  readonly size: number;
}

/** Creates an index of the given entries. Indexing many blocks the event loop: use `replaceAll` for them. */
export function createSeriesIndex(entries: readonly ListedSeries[] = []): SeriesIndex {
  /** The latest entries of both kinds. Searches find them as soon as they are combined. */
  let large = runSteps(buildIndex(entries));
  let found: FoundEntries = { entries: [], version: null };
  let searched = { ...runSteps(combineIndexes(large, [])), foundVersion: found.version };
  let building: Promise<void> = Promise.resolve();
  let combining: Promise<void> = Promise.resolve();
  const presetMember = createMemberPreset();

  /** Combines the latest entries after a change. Does not wait for a large index that is being built. */
  function combine(change: () => void): Promise<void> {
    const done = combining.then(async () => {
      change();
      const { entries, version: foundVersion } = found;
      searched = { ...(await runStepsInSlices(combineIndexes(large, entries))), foundVersion };
    });
    combining = done.catch(() => {});
    return done;
  }

  return {
    replaceAll(entries) {
      const done = building.then(async () => {
        const built = await runStepsInSlices(buildIndex(entries));
        await combine(() => {
          large = built;
        });
      });
      building = done.catch(() => {});
      return done;
    },
    replaceFound(entries) {
      return combine(() => {
        found = entries;
      });
    },
    search({ query, types = SOURCE_TYPES, isAccount = false, limit, offset }) {
      const { large, small, entriesBefore } = searched;
      const { ranked, isPartial } = rankEntries([large, small], query, selectTypes(types, isAccount));
      const [inLarge, inSmall] = ranked as [RankedEntries, RankedEntries];
      const page = selectPage(inLarge, inSmall, entriesBefore, { offset, limit });
      const entries = page.map(({ isInLarge, entry }) => (isInLarge ? large : small).entries[entry] as ListedSeries);
      const total = inLarge.found.length + inSmall.found.length;
      return { results: entries.map(presetMember(query)), total, isPartial };
    },
    get foundVersion() {
      return searched.foundVersion;
    },
    get size() {
      return searched.large.entries.length + searched.small.entries.length;
    },
  };
}
