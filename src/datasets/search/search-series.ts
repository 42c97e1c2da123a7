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
}

/**
 * Creates a search over the series of all sources. The first search loads their lists. A list that could not be loaded
 * is retried later.
 */
export function createSeriesSearch(
  sources: readonly Pick<SeriesSource, 'list' | 'type'>[],
  log: Pick<Log, 'warn'>,
  { now = Date.now, retryAfterMs = 30_000 }: SearchOptions = {},
): SeriesSearch {
  const index = createSeriesIndex();
  const missing = new Set(sources);
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    triedAt = now();
    const lists = await Promise.all(
      [...missing].map(async (source) => {
        try {
          return [{ source, entries: await source.list() }];
        } catch (error) {
          log.warn({ err: error, source: source.type }, 'listing the series of a source failed; search omits them');
          return [];
        }
      }),
    );
    const listed = lists.flat();
    if (listed.length === 0) return;
    await index.addAll(listed.flatMap(({ entries }) => entries));
    for (const { source } of listed) missing.delete(source);
  }

  return {
    async search(request) {
      if (!loading && missing.size > 0 && now() - triedAt >= retryAfterMs) {
        loading = load().finally(() => {
          loading = undefined;
        });
      }
      await loading;
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
