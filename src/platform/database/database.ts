import type { Kysely } from 'kysely';
import type { ObjectStorage } from '../objects/object-storage.ts';

/**
 * An object that runs SQL: the database itself or an open transaction.
 * A domain function takes an `Executor`, so that it works inside and outside a transaction.
 */
export interface Executor {
  /**
   * Returns the query builder, typed by the tables of the caller.
   *
   * @example
   * const row = await executor.query<AccountTables>().selectFrom('accounts').selectAll().executeTakeFirst();
   */
  query<Tables>(): Kysely<Tables>;
}

declare const transactionBrand: unique symbol;

/**
 * An open transaction. Only `Database.transaction` creates it, so a function that takes one must run in a transaction.
 */
export interface Transaction extends Executor {
  readonly [transactionBrand]: true;
}

/** The number of connections in use, and of callers that wait for one. */
export interface ConnectionCounts {
  readonly inUse: number;
  readonly waiting: number;
}

/** An open database: PGlite in a folder, or a PostgreSQL server. Both use the same SQL and return the same values. */
export interface Database extends Executor {
  readonly kind: 'pglite' | 'postgres';

  /** The storage of the large things whose rows name objects; null if the database has all bytes. */
  readonly objects: ObjectStorage | null;

  /**
   * Runs `work` in a transaction (READ COMMITTED). Commits when `work` resolves, and rolls back when it rejects. `work`
   * must not wait for anything but SQL, because on PGlite every other statement waits for the transaction. It must use
   * `tx` for every statement: using the database itself or opening another transaction throws `TransactionMisuseError`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Returns whether the database is open and not closing, without a query. Used for readiness checks. */
  isOpen(): boolean;

  /**
   * Returns why the process should get no requests, such as `disk full`, or null if the database accepts statements. It
   * sends no query. Used for readiness checks.
   */
  findProblem(): string | null;

  /** Returns how many connections this process uses, without a query. */
  connections(): ConnectionCounts;

  /** Refuses new statements, waits for running ones (one second on PostgreSQL), then releases connections, files and the folder lock. */
  close(): Promise<void>;
}
