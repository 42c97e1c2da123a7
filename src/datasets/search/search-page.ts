import { canonicalJson, type SourceType } from '../../contract/index.ts';
import { openCursor, type SigningKeys, sealCursor } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { searchCursorInvalid } from '../faults.ts';
import type { SeriesSearch } from './search-series.ts';

export interface SearchContext extends SeriesSearch {
  /** Signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
}

interface SearchPageRequest {
  readonly query: string;
  readonly types?: readonly SourceType[] | undefined;
  /** Whether the caller has an account. */
  readonly isAccount: boolean;
  /** Whether to search the listings only, without a request to any provider. */
  readonly local?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface SearchPage {
  readonly results: readonly ListedSeries[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The ids of the providers whose own searches did not reply in time. */
  readonly unavailable: readonly string[];
}

/** What a cursor contains. */
interface Position {
  readonly offset: number;
  /** The version of the found series that the earlier pages were selected from. */
  readonly found?: string;
}

/**
 * Returns one page of the results of a query. A cursor selects the page after the one that it was returned with, for
 * the same query, types and kind of caller.
 */
export async function readSearchPage(
  search: SearchContext,
  request: SearchPageRequest,
  signal?: AbortSignal,
): Promise<SearchPage> {
  const { query, types, isAccount, local, limit, cursor } = request;
  const settings = canonicalJson({
    query,
    types: types === undefined ? null : [...new Set(types)].sort(),
    // Callers without an account find fewer series, so that the positions of their cursors are others.
    ...(isAccount && { audience: 'accounts' }),
  });
  const keys = await search.cursorKey();
  const { offset, found } = cursor === undefined ? { offset: 0 } : readPosition(keys, settings, cursor);
  const selected = { query, isAccount, ...(types && { types }) };
  const page = await search.search({ ...selected, limit, offset, foundVersion: found, isLocal: local, signal });
  const { results, total, foundVersion, unavailable } = page;
  const end: Position = { offset: offset + results.length, ...(foundVersion !== null && { found: foundVersion }) };
  return { results, unavailable, nextCursor: end.offset < total ? sealCursor(keys, settings, end) : null };
}

function readPosition(keys: SigningKeys, settings: string, cursor: string): Position {
  const position = openCursor(keys, settings, cursor) as Position | null;
  if (position === null) throw searchCursorInvalid();
  return position;
}
