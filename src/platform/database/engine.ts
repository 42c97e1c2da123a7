import type { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { StatementRunner } from './statement-runner.ts';
import type { TransactionGuard } from './transaction-guard.ts';

/** What lies under a `Database`. For the rest of the platform (the queue needs it), not for domains. */
export type Engine =
  | {
      readonly kind: 'pglite';
      readonly guard: TransactionGuard;
      readonly pglite: PGlite;
      readonly statements: StatementRunner;
      readonly turns: OneAtATime;
    }
  | { readonly kind: 'postgres'; readonly guard: TransactionGuard; readonly url: string };

const engines = new WeakMap<Database, Engine>();

export function rememberEngine(database: Database, engine: Engine): void {
  engines.set(database, engine);
}

export function engineOf(database: Database): Engine {
  const engine = engines.get(database);
  if (engine === undefined) throw new TypeError('Not a database made by openDatabase().');
  return engine;
}
