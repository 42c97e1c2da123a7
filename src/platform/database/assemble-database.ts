import { type Dialect, Kysely } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { type Engine, rememberEngine } from './engine.ts';
import { GuardedDialect } from './guarded-dialect.ts';

/** Builds the `Database` over an engine that is ready. `letGo` runs once, after the last statement ended. */
export function assembleDatabase(engine: Engine, dialect: Dialect, letGo: () => Promise<void>): Database {
  const { guard } = engine;
  const guarded = new GuardedDialect(dialect, guard, engine.kind === 'pglite' ? engine.turns : undefined);
  const kysely = new Kysely<unknown>({ dialect: guarded });
  let closing: Promise<void> | undefined;

  const database: Database = {
    kind: engine.kind,
    query: <Tables>() => kysely as unknown as Kysely<Tables>,
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      guard.run((begun) =>
        kysely.transaction().execute((open) => {
          begun();
          return work({ query: () => open } as unknown as Transaction);
        }),
      ),
    isOpen: () => closing === undefined,
    connections: () => guarded.connections(),
    close: () => {
      closing ??= guarded.drain().then(letGo);
      return closing;
    },
  };
  rememberEngine(database, engine);
  return database;
}
