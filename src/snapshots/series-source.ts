import type { Principal } from '../access/index.ts';
import type { Cadence } from '../calendar/index.ts';
import type { PublicReference, SeriesDescription, SourceReference, SourceType } from '../contract/index.ts';
import type { SeriesTable } from './series-table.ts';

/** A series as search finds it. */
export interface ListedSeries {
  /** Goes unchanged into describe, observations and forecast. */
  readonly source: PublicReference;
  readonly title: string;
  /** Further words it should be found by: symbols, publishers, topics, members of dimensions. */
  readonly keywords: readonly string[];
  readonly provider: string;
  readonly frequency: string;
  readonly span: { readonly start: string; readonly end: string };
  readonly units: string;
}

/** Which rows to read: those whose period had ended by `cutoff`, and of these the last `limit`. */
export interface ReadWindow {
  /**
   * Milliseconds since 1970. Default: now for what others publish, whose last period may still change; for rows of the
   * reader's own, such as a file, every row that there is.
   */
  readonly cutoff?: number | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a source read: rows, and what they are. */
export interface SourceRows {
  readonly table: SeriesTable;
  readonly cadence: Cadence;
  /** The column that the reference chose. */
  readonly valueField: string;
  readonly provider: string;
  /**
   * What a snapshot of these rows says of them: the source as it was resolved (defaults filled in), units, licence.
   * Plain JSON; the same rows read again say the same.
   */
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * Where series come from. Jobs, scout and search know sources by this port alone; compose.ts registers them.
 * Whatever a caller must hear of is thrown as a `Fault`: NOT_FOUND for what is not there, INVALID_REQUEST for a field
 * or dimension that is not, PROVIDER_FAILED for a provider that fails.
 */
export interface SeriesSource<Reference extends SourceReference = SourceReference> {
  readonly type: SourceType & Reference['type'];
  /** Everything there is to find: nothing of what is not everybody's. */
  list(): Promise<readonly ListedSeries[]>;
  /**
   * A reference in the spelling of `about.source` of rows that this provider served, as far as that is known without
   * asking anybody.
   */
  canonical(reference: Reference, provider: string): Partial<Reference>;
  describe(reference: Reference, signal?: AbortSignal): Promise<SeriesDescription>;
  /** Whether this caller may read this now; throws the fault that says why not. */
  authorize(principal: Principal, reference: Reference): Promise<void>;
  /**
   * Whether this caller may use rows that were frozen before, though the thing itself may be gone by now; throws the
   * fault that says why not. Left out: whoever may see what was made of them may.
   *
   * @param use whether the caller itself had them frozen
   */
  authorizeFrozen?(principal: Principal, reference: Reference, use: { readonly isMaker: boolean }): Promise<void>;
  read(reference: Reference, window: ReadWindow): Promise<SourceRows>;
}
