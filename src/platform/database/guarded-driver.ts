import type { DatabaseConnection, Driver, TransactionSettings } from 'kysely';
import type { Connections } from './database.ts';
import { DatabaseClosedError } from './errors.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { TransactionGuard } from './transaction-guard.ts';
import { watchStatements } from './watch-statements.ts';

/** A driver that asks the guard before it hands out a connection, and knows how many are out. */
export class GuardedDriver implements Driver {
  readonly #inner: Driver;
  readonly #guard: TransactionGuard;
  readonly #turns: OneAtATime | undefined;
  #leaveTurn: (() => void) | undefined;
  #inUse = 0;
  #waiting = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(inner: Driver, guard: TransactionGuard, turns: OneAtATime | undefined) {
    this.#inner = inner;
    this.#guard = guard;
    this.#turns = turns;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.assertOutside(
      'The database itself was used inside a transaction. Use the transaction that was passed in.',
    );
    if (this.#drained !== undefined) throw new DatabaseClosedError();
    this.#inUse += 1;
    this.#waiting += 1;
    try {
      const leaveTurn = await this.#turns?.enter();
      try {
        const connection = await this.#inner.acquireConnection();
        this.#leaveTurn = leaveTurn;
        return watchStatements(connection);
      } catch (error) {
        leaveTurn?.();
        throw error;
      }
    } catch (error) {
      this.#released();
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#inner.releaseConnection(connection);
    } finally {
      this.#leaveTurn?.();
      this.#released();
    }
  }

  /** How many connections are out, and how many callers wait for one. */
  connections(): Connections {
    return { inUse: this.#inUse - this.#waiting, waiting: this.#waiting };
  }

  /** From now on nothing new gets a connection; resolves when the last one came back. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    if (this.#inUse === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #released(): void {
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
    // When even ROLLBACK fails the connection is broken and gets thrown away, which rolls back as well. The error that
    // made us roll back is the one worth seeing.
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
