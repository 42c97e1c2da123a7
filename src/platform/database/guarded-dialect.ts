import {
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  type QueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { Mutex } from '../mutex.ts';
import type { ConnectionCounts } from './database.ts';
import { DatabaseClosedError } from './errors.ts';
import type { StorageProblems } from './storage-problems.ts';
import type { TransactionGuard } from './transaction-guard.ts';
import { watchStatements } from './watch-statements.ts';

/**
 * Wraps one of Kysely's dialects and adds the transaction guard, a mutex if the engine has a single connection, and an
 * orderly shutdown.
 */
export class GuardedDialect implements Dialect {
  readonly #inner: Dialect;
  readonly #driver: GuardedDriver;

  constructor(inner: Dialect, guard: TransactionGuard, mutex: Mutex | undefined, problems: StorageProblems) {
    this.#inner = inner;
    this.#driver = new GuardedDriver(inner.createDriver(), guard, mutex, problems);
  }

  /** Refuses new connections and resolves when the last one is released. */
  drain(): Promise<void> {
    return this.#driver.drain();
  }

  connections(): ConnectionCounts {
    return this.#driver.connections();
  }

  createDriver(): Driver {
    return this.#driver;
  }

  // Kysely's PGlite adapter would make callers wait before it calls the driver, so that the guard could not throw.
  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createQueryCompiler(): QueryCompiler {
    return this.#inner.createQueryCompiler();
  }

  createIntrospector(db: Kysely<never>) {
    return this.#inner.createIntrospector(db);
  }
}

/** A driver that checks the guard before it provides a connection, and counts the connections in use. */
class GuardedDriver implements Driver {
  readonly #inner: Driver;
  readonly #guard: TransactionGuard;
  readonly #mutex: Mutex | undefined;
  readonly #problems: StorageProblems;
  #releaseMutex: (() => void) | undefined;
  #inUse = 0;
  #waiting = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(inner: Driver, guard: TransactionGuard, mutex: Mutex | undefined, problems: StorageProblems) {
    this.#inner = inner;
    this.#guard = guard;
    this.#mutex = mutex;
    this.#problems = problems;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.assertOutside(
      'The database itself was used inside a transaction. Use the transaction that was passed in.',
    );
    if (this.#drained !== undefined) throw new DatabaseClosedError();
    this.#inUse += 1;
    this.#waiting += 1;
    try {
      const releaseMutex = await this.#mutex?.acquire();
      try {
        const connection = await this.#inner.acquireConnection();
        this.#releaseMutex = releaseMutex;
        return watchStatements(connection, this.#problems);
      } catch (error) {
        releaseMutex?.();
        throw error;
      }
    } catch (error) {
      this.#countReleased();
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#inner.releaseConnection(connection);
    } finally {
      this.#releaseMutex?.();
      this.#countReleased();
    }
  }

  /** Returns the number of connections in use and of callers that wait for one. */
  connections(): ConnectionCounts {
    return { inUse: this.#inUse - this.#waiting, waiting: this.#waiting };
  }

  /** Refuses new connections and resolves when the last one is released. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    if (this.#inUse === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #countReleased(): void {
    this.#inUse -= 1;
    if (this.#inUse === 0) this.#drained?.resolve();
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    this.#guard.assertOpening();
    await this.#inner.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#inner.commitTransaction(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // If ROLLBACK fails, the connection is broken and is discarded, which also rolls back. The error to report is the one
    // that caused the rollback.
    await this.#inner.rollbackTransaction(connection).catch(() => undefined);
  }

  async savepoint(...args: Parameters<NonNullable<Driver['savepoint']>>): Promise<void> {
    await this.#inner.savepoint?.(...args);
  }

  async rollbackToSavepoint(...args: Parameters<NonNullable<Driver['rollbackToSavepoint']>>): Promise<void> {
    await this.#inner.rollbackToSavepoint?.(...args);
  }

  async releaseSavepoint(...args: Parameters<NonNullable<Driver['releaseSavepoint']>>): Promise<void> {
    await this.#inner.releaseSavepoint?.(...args);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}
