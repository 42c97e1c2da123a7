import type { Kysely } from 'kysely';

/**
 * Something SQL can be sent to: the database itself or an open transaction.
 * A domain function takes an `Executor`, so that the same function works inside and outside a transaction.
 */
export interface Executor {
  /**
   * The query builder, seen through the tables the caller owns.
   *
   * @example
   * const row = await executor.query<AccountTables>().selectFrom('accounts').selectAll().executeTakeFirst();
   */
  query<Tables>(): Kysely<Tables>;
}

declare const transactionBrand: unique symbol;

/** An open transaction. Only `Database.transaction` makes one, so a function that asks for it cannot be called without. */
export interface Transaction extends Executor {
  readonly [transactionBrand]: true;
}

/** Connections that are out, and callers that wait for one. */
export interface Connections {
  readonly inUse: number;
  readonly waiting: number;
}

/** An open database: PGlite in a folder, or a PostgreSQL server. Both speak one dialect and give the same JavaScript values. */
export interface Database extends Executor {
  readonly kind: 'pglite' | 'postgres';

  /**
   * Runs `work` in one transaction (READ COMMITTED): commits when it resolves, rolls back when it rejects.
   * SQL only: on PGlite everyone else waits until it ends. Inside it every statement goes through `tx`; using the
   * database itself or opening another transaction throws `TransactionMisuseError`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Local knowledge only (no round trip): open, and not closing. Made for readiness checks. */
  isOpen(): boolean;

  /** How busy this process keeps it. Local knowledge as well. */
  connections(): Connections;

  /** Refuses new work, waits for what is running, then lets go of connections, files and the folder lock. */
  close(): Promise<void>;
}
