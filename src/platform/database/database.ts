import type { Kysely } from 'kysely';

/**
 * A handle that accepts SQL: the database itself or an open transaction.
 * A domain function takes an `Executor`, so that the same function works inside and outside a transaction.
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

/** An open transaction. Only `Database.transaction` creates one, so a function that takes one cannot run outside. */
export interface Transaction extends Executor {
  readonly [transactionBrand]: true;
}

/** Connections in use, and callers that wait for one. */
export interface Connections {
  readonly inUse: number;
  readonly waiting: number;
}

/** An open database: PGlite in a folder, or a PostgreSQL server. Both use one dialect and return the same JavaScript values. */
export interface Database extends Executor {
  readonly kind: 'pglite' | 'postgres';

  /**
   * Runs `work` in one transaction (READ COMMITTED): commits when it resolves, rolls back when it rejects.
   * SQL only: on PGlite every other statement waits until it ends. Inside it every statement goes through `tx`; using the
   * database itself or opening another transaction throws `TransactionMisuseError`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Returns whether it is open and not closing, without a round trip. Made for readiness checks. */
  isOpen(): boolean;

  /** Returns how many connections this process uses, without a round trip. */
  connections(): Connections;

  /** Refuses new work, waits for running statements, then releases connections, files and the folder lock. */
  close(): Promise<void>;
}
