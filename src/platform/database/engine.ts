import type { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely } from 'kysely';
import type { Mutex } from '../mutex.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import type { CurrentUrl } from './connection-options.ts';
import type { Database, Transaction } from './database.ts';
import { GuardedDialect } from './guarded-dialect.ts';
import type { StatementRunner } from './statement-runner.ts';
import { StorageProblems } from './storage-problems.ts';
import type { TransactionGuard } from './transaction-guard.ts';

/** The engine of a `Database`. Only this room, for example its queue, may use it; domains may not. */
export type Engine =
  | {
      readonly kind: 'pglite';
      readonly guard: TransactionGuard;
      readonly pglite: PGlite;
      readonly statements: StatementRunner;
      readonly mutex: Mutex;
    }
  | {
      readonly kind: 'postgres';
      readonly guard: TransactionGuard;
      readonly url: string;
      /** The same database without a pooler in transaction mode. Equal to `url` if there is no such pooler. */
      readonly directUrl: string;
      readonly currentUrl: CurrentUrl | undefined;
    };

const engines = new WeakMap<Database, Engine>();

export function engineOf(database: Database): Engine {
  const engine = engines.get(database);
  if (engine === undefined) throw new TypeError('The database was not opened by openDatabase().');
  return engine;
}

export interface EngineParts {
  /** Called once, after the last statement has ended. */
  readonly release: () => Promise<void>;
  /** Runs what closes the database, and cuts off statements that do not end. Default: waits for them. */
  readonly closeWith?: (close: () => Promise<void>) => Promise<void>;
  /** Returns whether too little space is free for statements that write. */
  readonly isDiskLow?: () => boolean;
  readonly objects?: ObjectStorage | null | undefined;
}

/** Builds the `Database` of a started engine. */
export function assembleDatabase(engine: Engine, dialect: Dialect, parts: EngineParts): Database {
  const { release, closeWith = (close) => close(), isDiskLow = () => false, objects = null } = parts;
  const { guard } = engine;
  const problems = new StorageProblems();
  const guarded = new GuardedDialect(dialect, guard, engine.kind === 'pglite' ? engine.mutex : undefined, problems);
  const kysely = new Kysely<unknown>({ dialect: guarded });
  let closing: Promise<void> | undefined;

  const database: Database = {
    kind: engine.kind,
    objects,
    query: <Tables>() => kysely as unknown as Kysely<Tables>,
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      guard.run((markOpen) =>
        kysely.transaction().execute((open) => {
          markOpen();
          return work({ query: () => open } as unknown as Transaction);
        }),
      ),
    isOpen: () => closing === undefined,
    findProblem: () => {
      if (closing !== undefined) return 'database closed';
      return isDiskLow() ? 'disk full' : problems.current();
    },
    connections: () => guarded.connections(),
    close: () => {
      closing ??= closeWith(() => guarded.drain().then(release));
      return closing;
    },
  };
  engines.set(database, engine);
  return database;
}
