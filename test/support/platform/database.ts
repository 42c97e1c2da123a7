import { type TestContext, test } from 'node:test';
import {
  type Database,
  type DatabaseOptions,
  type DomainMigrations,
  openDatabase,
} from '../../../src/platform/database/index.ts';
import type { TemplateContent } from './database-template.ts';
import { type OpenCopy, takePglite } from './pglite-pool.ts';
import { copyOfPostgresTemplate } from './postgres-template.ts';

export type DatabaseKind = Database['kind'];

export interface TestDatabaseOptions {
  /** What the database is migrated with before the test gets it. Default: nothing. */
  readonly migrations?: readonly DomainMigrations[];
  /** Put the queue's own tables in as well, so that `openQueue` starts at once. */
  readonly queue?: boolean;
}

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Opens the same database again, as another process would (PostgreSQL) or after `database.close()` (PGlite). */
  readonly location: DatabaseOptions;
  /** Runs `clean` at the end, before the database closes; last in, first out. The place for `queue.stop()`. */
  cleanup(clean: () => unknown): void;
}

const serverUrl = process.env.TEST_DATABASE_URL;

/** What this run tests on: the PostgreSQL that TEST_DATABASE_URL names, otherwise PGlite. All is tested on both by two runs. */
export const testedKind: DatabaseKind = serverUrl === undefined ? 'pglite' : 'postgres';

/** The kinds of database there are here, for the few tests that compare them. */
export const availableKinds: readonly DatabaseKind[] = serverUrl === undefined ? ['pglite'] : ['pglite', 'postgres'];

/**
 * Declares a test on the database of this run, or on one kind `only`.
 * Each gets a database of its own, migrated already, and thrown away afterwards.
 *
 * @example
 * forEachDatabase('an account is found by its address', { migrations: [identityMigrations] }, async ({ database }) => {
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
 * One database for a test that manages it by itself.
 *
 * @example
 * await using fixture = await openTestDatabase('pglite', { migrations });
 */
export async function openTestDatabase(kind: DatabaseKind, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { migrations = [], queue = false } = options;
  const { database, location, giveBack } = await (kind === 'pglite' ? takePglite : takePostgres)({ migrations, queue });
  const cleanups: (() => unknown)[] = [];
  return {
    database,
    location,
    cleanup: (clean) => cleanups.push(clean),
    [Symbol.asyncDispose]: async () => {
      try {
        for (const clean of cleanups.reverse()) await clean();
      } finally {
        await giveBack();
      }
    },
  };
}

async function takePostgres(content: TemplateContent): Promise<OpenCopy> {
  const { location, remove } = await copyOfPostgresTemplate(server(), content);
  const database = await openDatabase(location);
  const giveBack = async () => {
    await database.close();
    await remove();
  };
  return { database, location, giveBack };
}

function server(): string {
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set');
  return serverUrl;
}
