import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, Executor, Transaction } from './database.ts';
import { MigrationFailedError, NewerDatabaseError } from './errors.ts';

interface LedgerTables {
  almanac_migrations: MigrationName;
}

/** An arbitrary number for the advisory lock, which differs from those of pg-boss and Kysely. */
const LOCK = 4_807_526_976;
const UNDEFINED_TABLE = '42P01';

/**
 * Upgrades the database to the schema of this build. It runs the pending migrations in one transaction, so that the
 * previous build can still use the database if an upgrade fails. If several processes start together, one migrates and
 * the others wait. If no migration is pending, it sends one query.
 *
 * It does not use Kysely's `Migrator`, which needs a ledger and about ten catalog queries for each domain.
 *
 * @returns the names of the migrations that ran, in the form `domain/name`
 */
export async function migrate(database: Database, domains: readonly DomainMigrations[]): Promise<string[]> {
  if (planMigrations(domains, await readLedgerIfExists(database)).length === 0) return [];
  return database.transaction(async (tx) => {
    await takeLock(tx);
    // The ledger is read again, because another process may have migrated while this one waited.
    const pending = planMigrations(domains, await readLedger(tx));
    for (const { domain, name, migration } of pending) {
      try {
        await migration.up(tx.query());
        await tx.query<LedgerTables>().insertInto('almanac_migrations').values({ domain, name }).execute();
      } catch (error) {
        throw new MigrationFailedError(`${domain}/${name}`, error);
      }
    }
    return pending.map(fullName);
  });
}

async function takeLock(tx: Transaction): Promise<void> {
  // Waiting for another process or rewriting a large table can take a long time.
  for (const timeout of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await sql`set local ${sql.raw(timeout)} = 0`.execute(tx.query());
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.query());
  await tx
    .query()
    .schema.createTable('almanac_migrations')
    .ifNotExists()
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('ran_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('almanac_migrations_pkey', ['domain', 'name'])
    .execute();
}

async function readLedgerIfExists(database: Database): Promise<MigrationName[]> {
  try {
    return await readLedger(database);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

function readLedger(executor: Executor): Promise<MigrationName[]> {
  return executor.query<LedgerTables>().selectFrom('almanac_migrations').select(['domain', 'name']).execute();
}

/** The migrations of a domain. They run in the order of their names (`0001-callers`, `0002-…`), which must not change. */
export interface DomainMigrations {
  readonly domain: string;
  readonly migrations: Readonly<Record<string, Migration>>;
}

interface MigrationName {
  readonly domain: string;
  readonly name: string;
}

interface PlannedMigration extends MigrationName {
  readonly migration: Migration;
}

/** Returns the pending migrations in the order of the domains, then by name. Throws if a newer build ran migrations. */
function planMigrations(domains: readonly DomainMigrations[], done: readonly MigrationName[]): PlannedMigration[] {
  const known = new Set(
    domains.flatMap(({ domain, migrations }) => Object.keys(migrations).map((name) => `${domain}/${name}`)),
  );
  const unknown = done.map(fullName).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new NewerDatabaseError(
      `The database was migrated by a newer build: this build does not have ${unknown.join(', ')}. ` +
        'Nothing was changed. Start that build, or restore a backup made before it.',
    );
  }
  return domains.flatMap(({ domain, migrations }) => pendingOf(domain, migrations, done));
}

/** Returns the name of a migration for messages and logs, in the form `domain/name`. */
function fullName({ domain, name }: MigrationName): string {
  return `${domain}/${name}`;
}

function pendingOf(
  domain: string,
  migrations: DomainMigrations['migrations'],
  done: readonly MigrationName[],
): PlannedMigration[] {
  const doneNames = done.filter((entry) => entry.domain === domain).map((entry) => entry.name);
  const lastDone = doneNames.sort().at(-1);
  const pending = Object.entries(migrations)
    .filter(([name]) => !doneNames.includes(name))
    .map(([name, migration]) => ({ domain, name, migration }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const late = pending.find(({ name }) => lastDone !== undefined && name < lastDone);
  // Running it now would give this database a different history from that of a new database.
  if (late !== undefined)
    throw new Error(`Migration ${fullName(late)} must sort after ${domain}/${lastDone}, which has already run.`);
  return pending;
}
