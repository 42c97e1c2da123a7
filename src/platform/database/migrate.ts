import { sql } from 'kysely';
import type { Database, Executor, Transaction } from './database.ts';
import { MigrationFailedError } from './errors.ts';
import { type DomainMigrations, fullName, type MigrationName, planMigrations } from './migration-plan.ts';

interface LedgerTables {
  almanac_migrations: MigrationName;
}

/** Any number, as long as nothing else in the database locks it; pg-boss and Kysely use others. */
const LOCK = 4_807_526_976;
const UNDEFINED_TABLE = '42P01';

/**
 * Brings the database to this build's schema: runs what has not run yet, in one transaction, so that a failed upgrade
 * leaves the database as the previous build knew it. Any number of processes may start at once; one runs them and the
 * others wait. One query when there is nothing to do.
 *
 * Not Kysely's `Migrator`: it needs a ledger per domain and about ten catalogue queries for each.
 *
 * @returns the migrations that ran, as `domain/name`.
 */
export async function migrate(database: Database, domains: readonly DomainMigrations[]): Promise<string[]> {
  if (planMigrations(domains, await readLedgerIfAny(database)).length === 0) return [];
  return database.transaction(async (tx) => {
    await takeLock(tx);
    // Read again: another process may have migrated while this one waited.
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
  // Waiting for the other process, or rewriting a large table, takes as long as it takes.
  await sql`set local statement_timeout = 0`.execute(tx.query());
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

async function readLedgerIfAny(database: Database): Promise<MigrationName[]> {
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
