import { type TestContext, test } from 'node:test';
import type { Database, DatabaseOptions, DomainMigrations } from '../../../src/platform/database/index.ts';
import { takeDatabase } from './database-pool.ts';

export type DatabaseKind = Database['kind'];

export interface TestDatabaseOptions {
  /** The migrations that run before the test. Default: none. */
  readonly migrations?: readonly DomainMigrations[];
  /** Whether to create the tables of the queue, so that `openQueue` starts faster. */
  readonly queue?: boolean;
}

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Options to open the same database again, like another process (PostgreSQL) or after `database.close()` (PGlite). */
  readonly location: DatabaseOptions;
  /** Runs `clean` before the database closes, in reverse order of the calls, such as `queue.stop()`. */
  cleanup(clean: () => unknown): void;
}

const NO_MIGRATIONS: readonly DomainMigrations[] = [];
const serverUrl = process.env.TEST_DATABASE_URL;

/** The database of this run: PostgreSQL at TEST_DATABASE_URL, otherwise PGlite. Two runs cover both. */
export const testedKind: DatabaseKind = serverUrl === undefined ? 'pglite' : 'postgres';

/** The available kinds of database, for the few tests that compare them. */
export const availableKinds: readonly DatabaseKind[] = serverUrl === undefined ? ['pglite'] : ['pglite', 'postgres'];

/**
 * Declares a test on the database of this run, or on the kind `only`. Each test gets its own migrated database, which is
 * removed afterward.
 *
 * @example
 * forEachDatabase('finds an account by its address', { migrations: [identityMigrations] }, async ({ database }) => {
 *   await createAccount(database, { email: 'a@b.example' });
 *   assert.ok(await findAccount(database, 'a@b.example'));
 * });
 */
export function forEachDatabase(
  name: string,
  options: TestDatabaseOptions & { readonly only?: DatabaseKind },
  body: (fixture: TestDatabase, context: TestContext) => Promise<void>,
): void {
  const kind = options.only ?? testedKind;
  const skip = kind === 'postgres' && serverUrl === undefined && 'TEST_DATABASE_URL is not set';
  test(`${name} [${kind}]`, { skip }, async (context) => {
    await using fixture = await openTestDatabase(kind, options);
    await body(fixture, context);
  });
}

/**
 * Opens a database for a test that disposes of it.
 *
 * @example
 * await using fixture = await openTestDatabase('pglite', { migrations });
 */
export async function openTestDatabase(kind: DatabaseKind, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { migrations = NO_MIGRATIONS, queue = false } = options;
  const content = { migrations, queue };
  const { database, location, release } = await takeDatabase(content, kind === 'postgres' ? server() : undefined);
  const cleanups: (() => unknown)[] = [];
  return {
    database,
    location,
    cleanup: (clean) => cleanups.push(clean),
    [Symbol.asyncDispose]: async () => {
      try {
        for (const clean of cleanups.reverse()) await clean();
      } finally {
        await release();
      }
    },
  };
}

function server(): string {
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set');
  return serverUrl;
}
