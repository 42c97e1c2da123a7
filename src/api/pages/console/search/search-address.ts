import { readField } from '../../forms.ts';

/** What the address of the search page asks for. */
export interface SearchRequest {
  /** Without spaces at its ends; empty if nothing is searched. */
  readonly query: string;
  /** The only kind of series that is searched; null for all. Not checked. */
  readonly type: string | null;
  /** Whether the providers are left out, as while the query is typed. */
  readonly isLocal: boolean;
  readonly cursor: string | null;
}

/** Reads the address of the search page. */
export function readSearchRequest(query: Readonly<Record<string, unknown>>): SearchRequest {
  return {
    query: (readField(query, 'q') ?? '').trim(),
    type: readField(query, 'type') || null,
    isLocal: readField(query, 'local') === '1',
    cursor: readField(query, 'cursor') || null,
  };
}

/** Returns the first parameter that an address has more than once. */
export function findRepeated(query: Readonly<Record<string, unknown>>): string | undefined {
  return ['q', 'type', 'local', 'cursor'].find((name) => Array.isArray(query[name]));
}

/** Returns the address of a search page. */
export function searchAddress({ query, type, isLocal, cursor }: SearchRequest): string {
  const params = new URLSearchParams();
  if (query !== '') params.append('q', query);
  if (type !== null) params.append('type', type);
  if (isLocal) params.append('local', '1');
  if (cursor !== null) params.append('cursor', cursor);
  return params.size === 0 ? '/search' : `/search?${params}`;
}
