import type { Executor } from '../database/index.ts';

/** A table of the database and its columns in the order of their names. */
export interface TableShape {
  /** The name for people and in the file, such as `forecast` or `queue.job`. */
  readonly name: string;
  /** The name for SQL, quoted. */
  readonly sql: string;
  readonly columns: readonly string[];
  /** The parts of a partitioned table for SQL; otherwise the table itself. */
  readonly parts: readonly string[];
}

/** One consistent view of a database whose tables can be read and filled with COPY. */
export interface TableAccess extends AsyncDisposable {
  readonly kind: 'pglite' | 'postgres';
  /** Runs statements in the transaction of the view, if it has one. */
  readonly executor: Executor;
  /** Runs several statements without parameters. */
  runScript(text: string): Promise<void>;
  /** Yields the rows of a table, in pieces that end with a row. */
  readRows(table: TableShape): AsyncIterable<Buffer>;
  /** Adds rows to a table. Each piece ends with a row. */
  writeRows(table: TableShape, pieces: AsyncIterable<Buffer>): Promise<void>;
  /** Keeps what was written. Without it, disposal discards it if the view has a transaction. */
  commit(): Promise<void>;
}

export function listColumns({ columns }: TableShape): string {
  return columns.map(quoteName).join(', ');
}

/** @example quoteName('from') // '"from"' */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
