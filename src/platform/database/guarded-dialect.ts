import {
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  type QueryCompiler,
} from 'kysely';
import type { Connections } from './database.ts';
import { GuardedDriver } from './guarded-driver.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { TransactionGuard } from './transaction-guard.ts';

/**
 * Wraps one of Kysely's dialects with what both databases need: the transaction guard, turn-taking where the engine has
 * a single connection, and an orderly end.
 */
export class GuardedDialect implements Dialect {
  readonly #inner: Dialect;
  readonly #driver: GuardedDriver;

  constructor(inner: Dialect, guard: TransactionGuard, turns?: OneAtATime) {
    this.#inner = inner;
    this.#driver = new GuardedDriver(inner.createDriver(), guard, turns);
  }

  /** From now on nothing new gets a connection; resolves when the last one came back. */
  drain(): Promise<void> {
    return this.#driver.drain();
  }

  connections(): Connections {
    return this.#driver.connections();
  }

  createDriver(): Driver {
    return this.#driver;
  }

  // Kysely's PGlite adapter would make callers queue before the driver is asked, so that the guard could not speak.
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
