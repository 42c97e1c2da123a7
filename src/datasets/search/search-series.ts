import type { Log } from '../../platform/index.ts';
import type { ListedSeries, SeriesSource } from '../../snapshots/index.ts';
import { type FoundSeries, indexFoundSeries } from './found-series.ts';
import { createSeriesIndex, type SearchFound, type SearchRequest } from './series-index.ts';
import { splitChunks } from './text-words.ts';

export interface SeriesSearch {
  search(request: PageRequest): Promise<PageFound>;
}

interface PageRequest extends SearchRequest {
  /** The `foundVersion` of the page before this one. */
  readonly foundVersion?: string | undefined;
  /** Whether the query is not passed to the providers' own searches. */
  readonly isLocal?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface PageFound extends SearchFound {
  /** The version of the found series that this page was selected from; null if there are none. */
  readonly foundVersion: string | null;
  /** The ids of the providers whose own searches did not reply in time. */
  readonly unavailable: readonly string[];
}

interface SearchOptions {
  readonly now?: () => number;
  /** The time after which a search tries again to load a list that could not be loaded. */
  readonly retryAfterMs?: number;
  /** The time after which a search compares the versions of the lists again. */
  readonly checkAfterMs?: number;
  /** Omitted if no query is passed to providers. */
  readonly found?: FoundSeries | undefined;
  /** The time after which a search no longer waits for the providers, whose own deadline is earlier. */
  readonly findWithinMs?: number;
}

/** If fewer series match all words of a query, it is passed to the providers' own searches. */
const MIN_RESULTS = 10;

type Source = Pick<SeriesSource, 'list' | 'listVersion' | 'type'>;

interface LoadedList {
  readonly entries: readonly ListedSeries[];
  readonly version: string | null;
}

/**
 * Creates a search over the series of all sources. The first search loads their lists. A list that could not be loaded
 * is retried later. A list whose version has changed is loaded again in the background; until it is indexed, searches
 * find the earlier entries. Found series are added in the same way.
 */
export function createSeriesSearch(
  sources: readonly Source[],
  log: Pick<Log, 'warn'>,
  { now = Date.now, retryAfterMs = 30_000, checkAfterMs = 5_000, found, findWithinMs = 2_000 }: SearchOptions = {},
): SeriesSearch {
  const index = createSeriesIndex();
  const foundSeries = found ? indexFoundSeries(found, index, log, findWithinMs) : null;
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
    const isFoundMissing = index.foundVersion === null;
    const isFoundDue = foundSeries !== null && (isFoundMissing ? isRetryDue : isCheckDue);
    if (missing.length + changing.length === 0 && !isFoundDue) return;
    const done = load([...missing, ...changing])
      .catch((error) => log.warn({ err: error }, 'indexing the series failed; search uses the earlier index'))
      .then(() => (isFoundDue ? foundSeries?.refresh() : undefined))
      .finally(() => {
        loading = null;
      });
    loading = { done, includesMissing: missing.length > 0 || (isFoundDue && isFoundMissing) };
  }

  function searchIndex(request: SearchRequest): PageFound {
    return { ...index.search(request), foundVersion: index.foundVersion, unavailable: [] };
  }

  return {
    async search(request) {
      if (loading === null) startLoading();
      if (loading?.includesMissing) await loading.done;
      if (foundSeries === null) return searchIndex(request);
      const { query, types, offset, isLocal = false, foundVersion = index.foundVersion, signal } = request;
      // Another process, which has found more series since, may have returned the page before this one.
      if (foundVersion !== index.foundVersion) await foundSeries.refresh();
      const page = searchIndex(request);
      const canFindMore = !isLocal && offset === 0 && hasWords(query) && (types?.includes('economic_series') ?? true);
      const isEnough = page.total >= MIN_RESULTS && !page.isPartial;
      if (!canFindMore || isEnough) return page;
      const { isChanged, unavailable } = await foundSeries.find(query, signal);
      if (!isChanged) return { ...page, unavailable };
      await foundSeries.refresh();
      return { ...searchIndex(request), unavailable };
    },
  };
}

function hasWords(query: string): boolean {
  return splitChunks(query).length > 0;
}
