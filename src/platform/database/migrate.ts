import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, Executor } from './database.ts';
import { openDirectly } from './direct-database.ts';
import { ChangedMigrationError, MigrationFailedError, NewerDatabaseError } from './errors.ts';
import { hashMigration } from './migration-hash.ts';

interface LedgerTables {
  almanac_migrations: LedgerEntry;
}

interface LedgerEntry extends MigrationName {
  /** The hash of the SQL that ran. A database of a build without hashes has no such column. */
  readonly hash?: string | null | undefined;
  /** Whether the previous build can use the database afterward. A database of a build without marks has no such column. */
  readonly compatible?: boolean | undefined;
}

/** An arbitrary number for the advisory lock, which differs from those of pg-boss and Kysely. */
const LOCK = 4_807_526_976;
const UNDEFINED_TABLE = '42P01';

/**
 * Upgrades the database to the schema of this build. It runs the pending migrations in one transaction, so that the
 * previous build can still use the database if an upgrade fails. If several processes start together, one migrates and
 * the others wait. If no migration is pending, it sends one query.
 *
 * The ledger has a hash of each migration. A database that ran another form of a migration is refused, because the code
 * would find a schema that it does not expect. A migration of a newer build is accepted if it is marked compatible.
 *
 * It does not use Kysely's `Migrator`, which needs a ledger and about ten catalog queries for each domain.
 *
 * @returns the names of the migrations that ran, in the form `domain/name`
 */
export async function migrate(
  database: Database,
  domains: readonly DomainMigrations[],
  { log }: MigrateOptions = {},
): Promise<string[]> {
  const plan = await planMigrations(domains, await readLedgerIfExists(database));
  if (plan.newer.length > 0) {
    const newer = plan.newer.map(fullName);
    log?.info(
      { migrations: newer },
      'a newer build migrated the database; its migrations are compatible with this build',
    );
  }
  if (plan.pending.length === 0 && plan.unhashed.length === 0) return [];
  await using opened = await openDirectly(database);
  return await opened.direct.transaction((tx) => migrateWithin(tx, domains));
}

/**
 * Runs the pending migrations in the transaction of the caller. An executor without a transaction is only right for a
 * database that is discarded if this fails.
 */
export async function migrateWithin(tx: Executor, domains: readonly DomainMigrations[]): Promise<string[]> {
  await takeLock(tx);
  // The ledger is read again, because another process may have migrated while this one waited.
  const { pending, unhashed } = await planMigrations(domains, await readLedger(tx));
  const ledger = tx.query<LedgerTables>();
  for (const { domain, name, hash } of unhashed) {
    await ledger
      .updateTable('almanac_migrations')
      .set({ hash })
      .where('domain', '=', domain)
      .where('name', '=', name)
      .execute();
  }
  for (const { domain, name, hash, migration } of pending) {
    const { compatible = false } = migration;
    try {
      await migration.up(tx.query());
      await ledger.insertInto('almanac_migrations').values({ domain, name, hash, compatible }).execute();
    } catch (error) {
      throw new MigrationFailedError(`${domain}/${name}`, error);
    }
  }
  return pending.map(fullName);
}

/**
 * Returns the migrations that a start would run, and whether the database has none yet. Throws where a start would be
 * refused. Changes nothing.
 */
export async function listPendingMigrations(
  database: Database,
  domains: readonly DomainMigrations[],
): Promise<{ readonly pending: readonly string[]; readonly isEmpty: boolean }> {
  const done = await readLedgerIfExists(database);
  const { pending } = await planMigrations(domains, done);
  return { pending: pending.map(fullName), isEmpty: done.length === 0 };
}

interface MigrateOptions {
  /** Receives the names of accepted migrations that this build does not have. */
  readonly log?: { info(details: object, message: string): void } | undefined;
}

async function takeLock(tx: Executor): Promise<void> {
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
  await sql`
    alter table almanac_migrations
      add column if not exists hash text, add column if not exists compatible boolean not null default false`.execute(
    tx.query(),
  );
}

async function readLedgerIfExists(database: Database): Promise<LedgerEntry[]> {
  try {
    return await readLedger(database);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

function readLedger(executor: Executor): Promise<LedgerEntry[]> {
  return executor.query<LedgerTables>().selectFrom('almanac_migrations').selectAll().execute();
}

/** A migration. */
export interface SchemaMigration extends Migration {
  /**
   * Whether the previous build can start and run on the migrated database. Every new migration states it; the first ones
   * did not. See "Adding a migration" in CONTRIBUTING.md.
   */
  readonly compatible?: boolean;
}

/** The migrations of a domain. They run in the order of their names (`0001-callers`, `0002-…`), which must not change. */
export interface DomainMigrations {
  readonly domain: string;
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
}

interface MigrationName {
  readonly domain: string;
  readonly name: string;
}

interface KnownMigration extends MigrationName {
  readonly migration: SchemaMigration;
  readonly hash: string;
}

interface MigrationPlan {
  /** The migrations to run, in the order of the domains, then by name. */
  readonly pending: readonly KnownMigration[];
  /** The migrations that a build without hashes ran. */
  readonly unhashed: readonly KnownMigration[];
  /** The compatible migrations that a newer build ran. */
  readonly newer: readonly LedgerEntry[];
}

/** Throws if a newer build ran migrations that are not marked compatible, or if the database ran another form of a migration. */
async function planMigrations(
  domains: readonly DomainMigrations[],
  done: readonly LedgerEntry[],
): Promise<MigrationPlan> {
  const known = await hashMigrations(domains);
  const knownNames = new Set(known.map(fullName));
  const newer = done.filter((entry) => !knownNames.has(fullName(entry)));
  const refused = newer.filter(({ compatible }) => compatible !== true).map(fullName);
  if (refused.length > 0) {
    throw new NewerDatabaseError(
      `The database was migrated by a newer build: this build does not have ${refused.join(', ')}, ` +
        `and ${refused.length === 1 ? 'it is' : 'they are'} not marked compatible with it. ` +
        'Nothing was changed. Start that build, or restore a backup made before it.',
    );
  }
  const doneByName = new Map(done.map((entry) => [fullName(entry), entry]));
  const changed = known.filter((entry) => (doneByName.get(fullName(entry))?.hash ?? entry.hash) !== entry.hash);
  if (changed.length > 0) throw new ChangedMigrationError(changed.map(fullName));
  return {
    pending: domains.flatMap(({ domain }) => pendingOf(domain, known, done)),
    unhashed: known.filter((entry) => {
      const ran = doneByName.get(fullName(entry));
      return ran !== undefined && (ran.hash ?? null) === null;
    }),
    newer,
  };
}

/** Returns every migration with its hash. */
export function hashMigrations(domains: readonly DomainMigrations[]): Promise<KnownMigration[]> {
  return Promise.all(
    domains.flatMap(({ domain, migrations }) =>
      Object.entries(migrations).map(async ([name, migration]) => ({
        domain,
        name,
        migration,
        hash: await hashMigration(migration),
      })),
    ),
  );
}

/** Returns the name of a migration for messages and logs, in the form `domain/name`. */
function fullName({ domain, name }: MigrationName): string {
  return `${domain}/${name}`;
}

function pendingOf(domain: string, known: readonly KnownMigration[], done: readonly MigrationName[]): KnownMigration[] {
  const doneNames = done.filter((entry) => entry.domain === domain).map((entry) => entry.name);
  const lastDone = doneNames.sort().at(-1);
  const pending = known
    .filter((entry) => entry.domain === domain && !doneNames.includes(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const late = pending.find(({ name }) => lastDone !== undefined && name < lastDone);
  // Running it now would give this database a different history from that of a new database.
  if (late !== undefined)
    throw new Error(`Migration ${fullName(late)} must sort after ${domain}/${lastDone}, which has already run.`);
  return pending;
}
