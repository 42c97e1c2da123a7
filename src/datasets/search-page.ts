import { Fault, type SourceType } from '../contract/index.ts';
import { canonicalJson } from '../engine/index.ts';
import { openCursor, sealCursor } from '../platform/index.ts';
import type { ListedSeries } from '../snapshots/index.ts';
import type { SourcesSearch } from './search/index-sources.ts';

export interface SearchContext extends SourcesSearch {
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}

export interface PageRequest {
  readonly query: string;
  readonly types?: readonly SourceType[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ResultPage {
  readonly results: readonly ListedSeries[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of what a query finds. A cursor goes on where its page ended, for the same query and types. */
export async function searchPage(search: SearchContext, request: PageRequest): Promise<ResultPage> {
  const { query, types, limit, cursor } = request;
  const settings = canonicalJson({ query, types: types === undefined ? null : [...new Set(types)].sort() });
  const key = await search.cursorKey();
  const offset = cursor === undefined ? 0 : offsetOf(key, settings, cursor);
  const { results, total } = await search.search({ query, limit, offset, ...(types && { types }) });
  const end = offset + results.length;
  return { results, nextCursor: end < total ? sealCursor(key, settings, { offset: end }) : null };
}

function offsetOf(key: Buffer, settings: string, cursor: string): number {
  const place = openCursor(key, settings, cursor) as { offset: number } | null;
  if (place !== null) return place.offset;
  throw new Fault('INVALID_REQUEST', 'cursor: was not made for this query. Send the same query and types with it.');
}
