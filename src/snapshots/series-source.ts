import type { Principal } from '../access/index.ts';
import type { Cadence, Frequency } from '../calendar/index.ts';
import type { PublicReference, SeriesDescription, SourceReference, SourceType } from '../contract/index.ts';

/** A series in the search index. */
export interface ListedSeries {
  /**
   * The reference to the series, which the operations for descriptions, observations and forecasts accept unchanged.
   */
  readonly source: PublicReference;
  readonly title: string;
  /** Other names of this very series, such as "gold" for XAUUSD. A match counts like one of an alias of the symbol. */
  readonly names?: readonly string[];
  /** Further search terms: symbols, publishers, topics, members of dimensions. */
  readonly keywords: readonly string[];
  readonly provider: string;
  readonly frequency: string;
  /** Null if it is unknown which rows exist. */
  readonly span: { readonly start: string; readonly end: string } | null;
  readonly units: string;
  /** Whether the instrument is still traded. Omitted by series that are not instruments of a directory. */
  readonly status?: 'active' | 'delisted';
  /** The callers that find the series. Default: every caller. */
  readonly audience?: 'accounts';
  /** The dimension whose members find the series, such as the countries. */
  readonly members?: {
    readonly field: string;
    readonly values: readonly { readonly value: string; readonly label: string }[];
  };
}

/** Which rows to read: the last `limit` of those whose period had ended by `cutoff`. */
export interface ReadWindow {
  /**
   * Milliseconds since 1970. For published series, whose last period may still change, the default is now. For the
   * caller's own rows, such as a file, there is no cutoff by default.
   */
  readonly cutoff?: number | undefined;
  readonly limit?: number | undefined;
  /** The account whose reads of billed tables the read counts for. Billed tables cannot be read without it. */
  readonly accountId?: string | undefined;
  /**
   * How long ago the rows may have been requested from the provider, in milliseconds. Default: as long as the source
   * keeps replies.
   */
  readonly maxAgeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows that a source read, with their description. */
export interface SourceRows {
  /** Contains the column `valueField`. */
  readonly table: SeriesTable;
  readonly cadence: Cadence;
  /** The column that the reference chose. */
  readonly valueField: string;
  readonly provider: string;
  /** Whether a preferred provider failed first. */
  readonly fallbackUsed?: boolean | undefined;
  /** Whether there are older rows than those that were read; undefined if the source read all that were selected. */
  readonly hasOlder?: boolean | undefined;
  /** The bytes of the dry run before the read. Stated by warehouse tables only. It is not a part of `about`. */
  readonly estimatedBytes?: number | undefined;
  /**
   * The description that a snapshot of these rows stores, as plain JSON: the source with its defaults filled in, the
   * units and the license. Reading the same rows again returns the same description.
   */
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * A source of series. Forecasts, Scout and search use sources only through this interface; `compose` registers them.
 * Errors for the caller are thrown as a `Fault`: NOT_FOUND for an unknown series, INVALID_REQUEST for an unknown field
 * or dimension, PROVIDER_FAILED for a provider that fails.
 */
export interface SeriesSource<Reference extends SourceReference = SourceReference> {
  readonly type: SourceType & Reference['type'];
  /** Returns every series that all callers may find. */
  list(): Promise<readonly ListedSeries[]>;
  /**
   * Returns a text that changes when `list` returns other series, at little cost. Omitted if the series never change
   * while the process runs.
   */
  listVersion?(): Promise<string>;
  /**
   * Returns the fields of a reference, spelled as in `about.source` of rows from this provider, as far as their
   * spelling is known without a request.
   */
  canonical(reference: Reference, provider: string): Partial<Reference>;
  describe(reference: Reference, signal?: AbortSignal): Promise<SeriesDescription>;
  /** Checks that the caller may read the series now. Throws a fault with the reason otherwise. */
  authorize(principal: Principal, reference: Reference): Promise<void>;
  /**
   * Checks that the caller may use rows that were frozen earlier, even if the series no longer exists. Throws a fault
   * with the reason otherwise. If this method is omitted, every caller that may see the forecast may use its rows.
   *
   * @param use whether the caller created the forecast that froze the rows
   */
  authorizeFrozen?(principal: Principal, reference: Reference, use: { readonly isCreator: boolean }): Promise<void>;
  read(reference: Reference, window: ReadWindow): Promise<SourceRows>;
  /**
   * Reads the rows whose period had ended a number of days before the end of the last one, and returns that instant.
   * Omitted by sources for which reading the last row first costs little.
   */
  readDaysBefore?(
    reference: Reference,
    window: Omit<ReadWindow, 'cutoff'> & { readonly days: number },
  ): Promise<SourceRows & { readonly cutoff: number }>;
  /**
   * Returns the date of the vintage that has what was known at an instant, for a reference without a vintage. Throws a
   * fault if the series has none. Omitted by sources without vintages.
   */
  vintageAt?(reference: Reference, instant: number, signal?: AbortSignal): Promise<string>;
  /** Returns the frequency of the series if it is known without reading rows, otherwise null. */
  knownFrequency?(reference: Reference): Promise<Frequency | null>;
}

/**
 * The rows of a series, stored by column. Timestamps are milliseconds since 1970, ascending and unique. Every column
 * has one number per timestamp, NaN for a missing value. The order of the columns is significant.
 */
export interface SeriesTable {
  readonly timestamps: Float64Array;
  readonly columns: Readonly<Record<string, Float64Array>>;
}
