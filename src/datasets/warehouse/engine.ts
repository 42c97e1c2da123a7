import type { Frequency } from '../../calendar/index.ts';
import type { AggregateFunction, TimeFormat } from '../../contract/index.ts';

/**
 * What the values of a column are. `date`, `datetime` and `timestamp` are times: a day, a time without a zone, which is
 * read as UTC, and an instant. `other` cannot be used, such as lists and records.
 */
export type ColumnKind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'timestamp' | 'other';

/** A column of a table. */
export interface WarehouseColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type as its engine spells it, such as NUMERIC or DECIMAL(18,3). Parameters that are compared with the column have it. */
  readonly type: string;
  readonly description?: string | undefined;
}

/** The smallest and the largest value of a column: milliseconds since 1970 for times, otherwise the numbers. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** The metadata of a table. Reading them executes no SQL. */
export interface WarehouseTable {
  /** As a reference names it, such as local.flights. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly WarehouseColumn[];
  /** Null if the metadata do not state it. */
  readonly rows: number | null;
  /** By column: the range of its values, where the metadata contain it for all rows. */
  readonly ranges: ReadonlyMap<string, ValueRange>;
  readonly lastUpdate: string | null;
  readonly publisher: string;
  readonly license: { readonly name: string; readonly url: string | null };
  readonly notes: string | null;
}

export type FilterValue = string | number | boolean;

/** A filter whose values have the kind of their column. Values of times are milliseconds since 1970. */
export interface QueryFilter {
  readonly column: WarehouseColumn;
  readonly values: readonly FilterValue[];
}

/** A read whose fields were checked against the schema of its table. */
export interface WarehouseQuery {
  readonly time: { readonly column: WarehouseColumn; readonly format: TimeFormat | null };
  readonly value: WarehouseColumn;
  readonly filters: readonly QueryFilter[];
  /** Milliseconds since 1970: only rows from this instant on. */
  readonly from: number | null;
  /** Milliseconds since 1970: only rows before this instant. */
  readonly to: number | null;
  readonly aggregate: { readonly function: AggregateFunction; readonly frequency: Frequency } | null;
  /** The latest rows are read. */
  readonly maxRows: number;
}

/** The rows of a query, oldest first. */
export interface RawRows {
  /**
   * Microseconds since 1970. If the query has a time format and no aggregate, the integers as the table has them. NaN
   * for integers that are not in the time format, in queries with an aggregate.
   */
  readonly times: Float64Array;
  /** NaN for NULL. Queries leave out rows without a value. */
  readonly values: Float64Array;
}

export interface ReadOptions {
  /** The account that the read counts for; undefined if the caller has none. */
  readonly accountId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RunOptions extends ReadOptions {
  /** What the dry run returned. */
  readonly estimatedBytes: number;
  /** Called by engines of billed tables when the query has begun, so that it can be billed even if the read fails. */
  readonly onStarted?: (() => void) | undefined;
}

/**
 * A kind of table. The source checks references and compares estimates with the limit, so that the rules are the same
 * for all engines. Errors for the caller are thrown as a `Fault`.
 */
export interface WarehouseEngine<Table extends WarehouseTable = WarehouseTable> {
  /** Returns the metadata of a table; null if it does not exist. */
  describe(name: string, signal?: AbortSignal): Promise<Table | null>;
  /** Returns the bytes that a query would read at most, from metadata alone; null if they do not state it. */
  estimate(table: Table, query: WarehouseQuery): number | null;
  /** Returns the bytes that a query would read, without reading rows. */
  dryRun(table: Table, query: WarehouseQuery, options: ReadOptions): Promise<number>;
  /** Reads the rows of a query that was dry-run. */
  read(table: Table, query: WarehouseQuery, options: RunOptions): Promise<RawRows>;
}

/** The most bytes that a read may take. It is also sent as the limit of billed bytes. */
export const MAX_READ_BYTES = 104_857_600;
