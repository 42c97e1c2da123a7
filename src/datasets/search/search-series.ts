import { canonicalJson, type SourceType } from '../../contract/index.ts';
import { type Log, openCursor, sealCursor } from '../../platform/index.ts';
import type { ListedSeries, SeriesSource } from '../../snapshots/index.ts';
import { searchCursorInvalid } from '../faults.ts';
import { createSeriesIndex, type SearchFound, type SearchRequest } from './series-index.ts';

interface SeriesSearch {
  search(request: SearchRequest): Promise<SearchFound>;
}

interface SearchOptions {
  readonly now?: () => number;
  /** The time after which a search tries again to load a list that could not be loaded. */
  readonly retryAfterMs?: number;
  /** The time after which a search compares the versions of the lists again. */
  readonly checkAfterMs?: number;
}

type Source = Pick<SeriesSource, 'list' | 'listVersion' | 'type'>;

interface LoadedList {
  readonly entries: readonly ListedSeries[];
  readonly version: string | null;
}

/**
 * Creates a search over the series of all sources. The first search loads their lists. A list that could not be loaded
 * is retried later. A list whose version has changed is loaded again in the background; until it is indexed, searches
 * find the earlier entries.
 */
export function createSeriesSearch(
  sources: readonly Source[],
  log: Pick<Log, 'warn'>,
  { now = Date.now, retryAfterMs = 30_000, checkAfterMs = 5_000 }: SearchOptions = {},
): SeriesSearch {
  const index = createSeriesIndex();
  /** The lists that are indexed. */
  const lists = new Map<Source, LoadedList>();
  let triedAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let loading: { readonly done: Promise<void>; readonly includesMissing: boolean } | null = null;

  /** Loads the list of a source; returns null if it is indexed in its current version or cannot be loaded. */
  async function loadList(source: Source): Promise<readonly [Source, LoadedList] | null> {
    try {
      // Read before the list: if the list changes in between, it is loaded once more than necessary.
      const version = (await source.listVersion?.()) ?? null;
      if (lists.get(source)?.version === version) return null;
      return [source, { entries: await source.list(), version }];
    } catch (error) {
      const effect = lists.has(source) ? 'search uses the earlier ones' : 'search omits them';
      log.warn({ err: error, source: source.type }, `listing the series of a source failed; ${effect}`);
      return null;
    }
  }

  async function load(wanted: readonly Source[]): Promise<void> {
    const loaded = (await Promise.all(wanted.map(loadList))).filter((list) => list !== null);
    if (loaded.length === 0) return;
    const all = new Map([...lists, ...loaded]);
    await index.replaceAll(sources.flatMap((source) => all.get(source)?.entries ?? []));
    for (const [source, list] of loaded) lists.set(source, list);
  }

  /** Starts loading the lists that are missing or may have changed, if the time for it has come. */
  function startLoading(): void {
    const time = now();
    const isRetryDue = time - triedAt >= retryAfterMs;
    const isCheckDue = time - checkedAt >= checkAfterMs;
    const missing = isRetryDue ? sources.filter((source) => !lists.has(source)) : [];
    const changing = isCheckDue ? sources.filter((source) => lists.has(source) && source.listVersion) : [];
    if (isRetryDue) triedAt = time;
    if (isCheckDue) checkedAt = time;
    if (missing.length + changing.length === 0) return;
    const done = load([...missing, ...changing])
      .catch((error) => log.warn({ err: error }, 'indexing the series failed; search uses the earlier index'))
      .finally(() => {
        loading = null;
      });
    loading = { done, includesMissing: missing.length > 0 };
  }

  return {
    async search(request) {
      if (loading === null) startLoading();
      if (loading?.includesMissing) await loading.done;
      return index.search(request);
    },
  };
}

export interface SearchContext extends SeriesSearch {
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}

interface SearchPageRequest {
  readonly query: string;
  readonly types?: readonly SourceType[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface SearchPage {
  readonly results: readonly ListedSeries[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Returns one page of the results of a query. A cursor selects the page after the one that it was returned with, for
 * the same query and types.
 */
export async function readSearchPage(search: SearchContext, request: SearchPageRequest): Promise<SearchPage> {
  const { query, types, limit, cursor } = request;
  const settings = canonicalJson({ query, types: types === undefined ? null : [...new Set(types)].sort() });
  const key = await search.cursorKey();
  const offset = cursor === undefined ? 0 : readOffset(key, settings, cursor);
  const { results, total } = await search.search({ query, limit, offset, ...(types && { types }) });
  const end = offset + results.length;
  return { results, nextCursor: end < total ? sealCursor(key, settings, { offset: end }) : null };
}

function readOffset(key: Buffer, settings: string, cursor: string): number {
  const position = openCursor(key, settings, cursor) as { offset: number } | null;
  if (position === null) throw searchCursorInvalid();
  return position.offset;
}
