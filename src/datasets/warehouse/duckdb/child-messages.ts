import type { QueryParameter } from '../build-query.ts';
import type { RawRows } from '../engine.ts';

/** A query as the child runs it. */
export interface DuckdbQuery {
  /** One SELECT of the columns t and v, the latest rows first. */
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** Absolute paths: the only files that the query may open. */
  readonly files: readonly string[];
  /** One if the order of the rows changes the digits of the result. */
  readonly threads: 1 | 2;
}

/** A message to the child. It runs one query at a time. */
export type ChildCommand =
  | { readonly kind: 'run'; readonly id: number; readonly query: DuckdbQuery }
  | { readonly kind: 'interrupt'; readonly id: number };

/** A message of the child. It sends `ready` when it has loaded the library, and then one reply for each query. */
export type ChildReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: RawRows }
  /** Follows the rows when their query has released its memory and files. */
  | { readonly kind: 'idle'; readonly id: number }
  /** DuckDB's message, which can contain paths. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string };
